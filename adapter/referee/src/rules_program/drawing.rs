//! A position as its program draws it, or else as text with a button for each move.

use std::collections::HashSet;

use draw::{Board, Gesture, Input, TextPage, View};
use kit::{DynHistory, Outcome, Rejection, Side};
use protocol::Query;
use protocol::text::printable;

use super::history::ProgramHistory;

impl ProgramHistory {
    /// The position as text.
    pub(super) fn text_page(&self, view: &View) -> TextPage {
        let board = Board::of_text(&self.text_or([self.fen(), self.caption(view)]));
        // The text has the side to move or the result already.
        board.page(&View {
            ending: None,
            ..*view
        })
    }

    /// The program's drawing, or else the text with a button for each move.
    pub(super) fn board(&self, view: &View) -> Board {
        if !self.program.answers(Query::Diagram) || self.fault().is_some() {
            return self.buttons(view);
        }
        let mut diagram = match self.drawn() {
            Ok(diagram) => diagram,
            Err(why) => {
                let mut buttons = self.buttons(view);
                buttons.caption = format!("query diagram: {}", printable(&why));
                return buttons;
            }
        };
        if diagram.names.iter().all(String::is_empty) {
            diagram.names = self.side_names();
        }
        if diagram.caption.is_empty() || view.ending.is_some() {
            diagram.caption = self.caption(view);
        }
        for spot in &mut diagram.spots {
            if spot.label.is_empty() {
                spot.label.clone_from(&spot.id);
            }
        }
        if view.is_flipped {
            diagram.turn_around();
        }
        diagram.connect();
        diagram
    }

    /// The side to move or the result in words.
    fn caption(&self, view: &View) -> String {
        let names = self.side_names();
        let name = |side: Side| &names[side.index()];
        match self.outcome() {
            Some(Outcome::Win(side)) => format!("{} wins", name(side)),
            Some(Outcome::Draw) => "draw".to_owned(),
            None => match view.ending {
                Some(ending) => ending.to_owned(),
                None => format!("{} to move", name(self.side())),
            },
        }
    }

    /// The program's drawing of the position.
    ///
    /// # Errors
    /// It is no diagram, or does not fit the legal moves.
    fn drawn(&self) -> Result<Board, String> {
        let position = self.position().ok_or("no position")?;
        let asked = self.program.ask(position, [Query::Diagram]);
        let [answer] = asked.map_err(|trouble| Rejection::from(trouble).0)?;
        let diagram = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
        check(&diagram, &self.moves())?;
        Ok(diagram)
    }

    /// The board as text, and a button for each move.
    fn buttons(&self, view: &View) -> Board {
        let gesture = |code: String| Gesture {
            input: Input::Button(code.clone()),
            code,
        };
        Board {
            names: self.side_names(),
            caption: self.caption(view),
            gestures: match view.ending {
                None => self.moves().into_iter().map(gesture).collect(),
                Some(_) => Vec::new(),
            },
            ..Board::of_text(&self.text_or([self.fen()]))
        }
    }

    /// The board as the program draws it for a person, or else the lines given.
    fn text_or<const N: usize>(&self, lines: [String; N]) -> Vec<String> {
        let drawn = self
            .position()
            .map(|position| self.program.drawing(position));
        let drawn = drawn.unwrap_or_default();
        let shown = drawn.iter().map(|line| printable(line).into_owned());
        match drawn.is_empty() {
            true => lines.into(),
            false => shown.collect(),
        }
    }
}

/// Checks a drawing: its size, its spots, and that its gestures lead to the legal moves, in order.
fn check(diagram: &Board, moves: &[String]) -> Result<(), String> {
    let is_size = |length: f64| length.is_finite() && length > 0.0;
    if !is_size(diagram.width) || !is_size(diagram.height) {
        return Err("width and height must be positive numbers".to_owned());
    }
    let ids: HashSet<&str> = diagram.spots.iter().map(|spot| spot.id.as_str()).collect();
    if ids.len() < diagram.spots.len() {
        return Err("two spots have the same id".to_owned());
    }
    let mut seen = HashSet::new();
    let codes = diagram.gestures.iter().map(|gesture| &gesture.code);
    if !codes.filter(|code| seen.insert(*code)).eq(moves) {
        return Err(
            "gestures must have one for each legal move, in the order of query moves".to_owned(),
        );
    }
    for Gesture { code, input } in &diagram.gestures {
        let (is_empty, unknown) = match input {
            Input::Spots(spots) => {
                let unknown = spots.iter().find(|id| !ids.contains(id.as_str()));
                (spots.is_empty(), unknown)
            }
            Input::Button(name) => (name.trim().is_empty(), None),
        };
        if is_empty {
            return Err(format!(
                "gestures: {code} needs a spot, or a button with a name"
            ));
        }
        if let Some(unknown) = unknown {
            return Err(format!("gestures: {code}: no spot {unknown:?}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_move_of_a_drawing_can_be_entered() {
        let verdict = |input: &str| {
            let gestures = format!(r#"[{{"code":"a1",{input}}}]"#);
            let text =
                format!(r#"{{"width":1,"height":1,"shapes":[],"spots":[],"gestures":{gestures}}}"#);
            let diagram = serde_json::from_str(&text).expect("a drawing");
            check(&diagram, &["a1".to_owned()])
        };
        assert_eq!(verdict(r#""button":"pass""#), Ok(()));
        for nothing in [r#""button":" ""#, r#""spots":[]"#, r#""spots":["b2"]"#] {
            assert!(verdict(nothing).is_err(), "{nothing}");
        }
    }
}
