//! A game in progress by the answers of a program. A position is as its program draws it, or else text with a button for
//! each move.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use draw::{Board, Gesture, Input, TextPage, View};
use kit::search::proof::{Proof, ProofTable};
use kit::search::{Control, Limits, Progress, Request, Searcher};
use kit::{DynHistory, Outcome, Rejection, Side, uct};
use protocol::Query;
use protocol::text::{excerpt, printable};

use super::engine::WinProof;
use super::process::Settings;
use super::program::{Facts, Position, RulesProgram};

/// A game in progress.
#[derive(Clone)]
pub(super) struct ProgramHistory {
    pub(super) program: Arc<RulesProgram>,
    settings: Arc<Settings>,
    /// All positions since the first one; none if the program has failed at the start.
    positions: Vec<Arc<Position>>,
    /// The moves between them.
    moves: Vec<String>,
}

impl ProgramHistory {
    /// Begins a game at a position string, or at the start position. If the program has failed, the game has no moves
    /// and a [`fault`](DynHistory::fault).
    ///
    /// # Errors
    /// The program rejects the position.
    pub(super) fn begin(
        program: Arc<RulesProgram>,
        settings: Arc<Settings>,
        fen: Option<&str>,
    ) -> Result<ProgramHistory, Rejection> {
        let fen_words = fen.map(|fen| format!("position fen {fen}"));
        let line = fen_words.unwrap_or_else(|| "position startpos".to_owned());
        let first = program.first(&settings, line);
        let positions = match first {
            Ok(position) => vec![position],
            Err(why) if fen.is_some() && program.failure().is_none() => return Err(why),
            Err(why) => {
                program.fail(&format!("position startpos: {why}"));
                Vec::new()
            }
        };
        Ok(ProgramHistory {
            program,
            settings,
            positions,
            moves: Vec::new(),
        })
    }

    /// The current position.
    pub(super) fn position(&self) -> Option<&Arc<Position>> {
        self.positions.last()
    }

    /// The legal moves. Blocks until they are read. There are none after a failure of the program.
    fn codes(&self) -> impl Iterator<Item = &str> {
        let position = self.position().filter(|_| self.fault().is_none());
        let moves = position.map(|position| self.program.moves(position));
        moves.unwrap_or_default().split_whitespace()
    }

    /// The legal move that a text means.
    fn legal(&self, text: &str) -> Option<&str> {
        let exact = self.codes().find(|code| *code == text);
        exact
            .or_else(|| self.codes().find(|code| code.eq_ignore_ascii_case(text)))
            .or_else(|| self.spelled(text))
    }

    /// The legal move of which this is another spelling, such as `O-O`, by the program. The letter case may tell two moves
    /// apart, as in `bxc3` and `Bxc3`.
    fn spelled(&self, text: &str) -> Option<&str> {
        let is_one = !text.is_empty() && self.outcome().is_none() && self.fault().is_none();
        if !is_one || !self.program.answers(Query::Spellings) {
            return None;
        }
        let asked = self.program.ask(self.position()?, [Query::Spellings]);
        let [answer] = asked.ok()?;
        let meant = |is_it: fn(&str, &str) -> bool| {
            let spells = |code: &&str| {
                let mut words = answer
                    .split_whitespace()
                    .flat_map(|word| word.strip_prefix(*code));
                words.any(|rest| rest.strip_prefix('=').is_some_and(|own| is_it(own, text)))
            };
            let mut codes = self.codes().filter(spells);
            let code = codes.next();
            code.filter(|_| codes.next().is_none())
        };
        meant(|own, text| own == text).or_else(|| meant(str::eq_ignore_ascii_case))
    }

    /// The reason why a move is not legal, without the move: the program's, if it gives one.
    fn reason(&self, code: &str) -> String {
        if let Some(why) = self.fault() {
            return why;
        }
        if self.outcome().is_some() {
            return "the game is over".to_owned();
        }
        let is_word = !code.is_empty() && !code.contains(char::is_whitespace);
        let position = self.position().filter(|_| is_word);
        match position.map(|position| self.program.try_move(position, code)) {
            Some(Err(Rejection(why))) if !why.is_empty() && self.fault().is_none() => {
                let own = why.strip_prefix(code);
                let own = own.and_then(|why| why.trim_start().strip_prefix(':'));
                printable(own.unwrap_or(&why).trim()).into_owned()
            }
            _ => "not among the legal moves".to_owned(),
        }
    }

    /// The side to move, or that would move next, and the result, if the game is over.
    fn early(&self) -> Option<(Side, Option<Outcome>)> {
        self.position()?.early.get()?.clone().ok()
    }

    fn facts(&self) -> Facts {
        let facts = self.position().map(|position| self.program.facts(position));
        facts.unwrap_or_default()
    }
}

impl DynHistory for ProgramHistory {
    fn side(&self) -> Side {
        self.early().map_or(Side::P1, |(side, _)| side)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.early()?.1
    }

    fn moves(&self) -> Vec<String> {
        self.codes().map(str::to_owned).collect()
    }

    fn play(&mut self, code: &str) -> Result<String, Rejection> {
        let code = self.play_early(code)?;
        let _ = self.codes();
        match self.fault() {
            Some(why) => {
                self.undo();
                Err(Rejection(why))
            }
            None => Ok(code),
        }
    }

    fn play_early(&mut self, code: &str) -> Result<String, Rejection> {
        let legal = self.legal(code).map(str::to_owned);
        let Some((before, code)) = self.position().zip(legal) else {
            let code = excerpt(code);
            let why = format!("{code}: {}", self.reason(&code));
            return Err(Rejection(self.fault().unwrap_or(why)));
        };
        let after = self.program.after(before, &code);
        let position = after.map_err(|why| {
            let line = before.line_after(&code);
            let why = format!("lists {code} and rejects it: {why}; {line}");
            self.program.fail(&why)
        })?;
        self.positions.push(position);
        self.moves.push(code.clone());
        Ok(code)
    }

    fn read(&self, code: &str) -> Result<String, Rejection> {
        let legal = self.legal(code).map(str::to_owned);
        legal.ok_or_else(|| Rejection(self.reason(&excerpt(code))))
    }

    fn expect(&self, code: &str) {
        if let Some((position, code)) = self.position().zip(self.legal(code)) {
            self.program.ask_ahead(position, code);
        }
    }

    fn fork(&self) -> Box<dyn DynHistory> {
        Box::new(self.clone())
    }

    fn begun_at(&self, text: &str) -> Result<Box<dyn DynHistory>, Rejection> {
        let (program, settings) = (Arc::clone(&self.program), Arc::clone(&self.settings));
        let begun = ProgramHistory::begin(program, settings, Some(text))?;
        Ok(Box::new(begun))
    }

    fn without_past(&self) -> Box<dyn DynHistory> {
        self.begun_at(&self.fen()).unwrap_or_else(|why| {
            self.program
                .fail(&format!("rejects its own position: {why}"));
            self.fork()
        })
    }

    fn undo(&mut self) -> bool {
        self.moves
            .pop()
            .and_then(|_| self.positions.pop())
            .is_some()
    }

    fn divide(
        &mut self,
        depth: u32,
        is_stopped: &dyn Fn() -> bool,
        each: &mut dyn FnMut(String, u64),
    ) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        let mut total = 0;
        for code in self.moves() {
            if is_stopped() {
                return None;
            }
            let mut after = self.clone();
            let below = match depth {
                1 => 1,
                _ if after.play(&code).is_err() => 0,
                _ => after.divide(depth - 1, is_stopped, &mut |_, _| {})?,
            };
            each(code, below);
            total += below;
        }
        Some(total)
    }

    fn ply(&self) -> usize {
        self.moves.len()
    }

    fn played(&self) -> Vec<String> {
        self.moves.clone()
    }

    fn fen(&self) -> String {
        self.facts().fen
    }

    fn shape(&self) -> String {
        self.facts().shape
    }

    fn search(
        &self,
        _searcher: &mut Searcher,
        request: &Request,
        control: &Control,
        tell: &mut dyn FnMut(&Progress),
    ) -> Progress {
        uct::search(self.fork(), request, control, tell)
    }

    fn prove(
        &self,
        _table: &mut ProofTable,
        moves: &[String],
        within: u32,
        (limits, _): (&Limits, &Control),
    ) -> Proof {
        let mut proof = WinProof::new(self.fork(), self.side());
        proof.max_nodes = limits.nodes.unwrap_or(u64::MAX);
        proof.deadline = limits.budget.hard().map(|time| Instant::now() + time);
        Proof {
            verdict: proof.best(moves, within),
            nodes: proof.n_nodes,
            hit_draw_or_horizon: true,
        }
    }

    fn page(&self, view: View) -> TextPage {
        let board = Board::of_text(&self.text_or([self.fen(), self.caption(&view)]));
        board.page(&view)
    }

    /// The program's drawing, or else the text with a button for each move.
    fn diagram(&self, view: View) -> Board {
        if !self.program.answers(Query::Diagram) || self.fault().is_some() {
            return self.buttons(&view);
        }
        let mut diagram = match self.drawn() {
            Ok(diagram) => diagram,
            Err(why) => {
                let mut buttons = self.buttons(&view);
                buttons.caption = format!("query diagram: {}", printable(&why));
                return buttons;
            }
        };
        if diagram.names.iter().all(String::is_empty) {
            diagram.names = self.side_names();
        }
        if diagram.caption.is_empty() || view.ending.is_some() {
            diagram.caption = self.caption(&view);
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

    fn side_names(&self) -> [String; 2] {
        let introduction = self.program.introduction();
        let names = introduction.map(|introduction| introduction.sides.clone());
        names.unwrap_or_else(|_| Side::BOTH.map(|side| side.to_string()))
    }

    fn fault(&self) -> Option<String> {
        self.program.failure().map(str::to_owned)
    }
}

impl ProgramHistory {
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
        let [answer] = asked.map_err(|why| why.0)?;
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
        let position = self.position();
        let drawn = position.map(|position| self.program.drawing(position));
        match drawn.unwrap_or_default().as_slice() {
            [] => lines.into(),
            drawn => drawn
                .iter()
                .map(|line| printable(line).into_owned())
                .collect(),
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
        let what = "gestures must have one for each legal move, in the order of query moves";
        return Err(what.to_owned());
    }
    for Gesture { code, input } in &diagram.gestures {
        let (is_empty, spots) = match input {
            Input::Spots(spots) => (spots.is_empty(), spots.as_slice()),
            Input::Button(name) => (name.trim().is_empty(), &[][..]),
        };
        if is_empty {
            return Err(format!(
                "gestures: {code} needs a spot, or a button with a name"
            ));
        }
        if let Some(unknown) = spots.iter().find(|id| !ids.contains(id.as_str())) {
            return Err(format!("gestures: {code}: no spot {unknown:?}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod drawing_tests {
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
