//! The move in an answer: anywhere in its text, or as a drawing of the board after it.

use kit::DynHistory;
use record::opening::Opening;
use table::figure::{Figure, FigureReader, Reading, is_same_board};

use super::board::{Board, spec};
use super::work::Work;
use crate::error::{Answer, refuse};

impl Work<'_> {
    /// Returns the one new move in a text, or the move that leads to the board drawn in it. `None` if the text contains
    /// neither.
    pub(super) fn move_in(
        &self,
        board: &Board,
        position: &dyn DynHistory,
        text: &[String],
    ) -> Answer<Option<String>> {
        let rules = self.rules(&spec(board)?)?;
        let mut reader = FigureReader::new(rules.entry(), rules.options());
        reader.push_text(&text.join("\n"));
        let Reading { mut games, unused } = reader.read_from(position, &[]);
        let last = games.pop().and_then(Result::ok);
        let is_of_position = |figure: &Figure| figure.candidates[0].fen == position.fen();
        let Some(figure) = last else {
            return Ok(None);
        };
        if is_of_position(&figure) {
            let candidate = &figure.candidates[0];
            let moves = candidate.moves.as_slice();
            let others: Vec<String> = unused.iter().map(ToString::to_string).collect();
            return match (moves, candidate.variations.len()) {
                ([code], 0) => Ok(Some(code.clone())),
                ([], _) if others.is_empty() => refuse!(
                    "the board in it is that of the quoted e-mail: expected the board after the move, or a move below \
                     it"
                ),
                ([], _) => refuse!(
                    "{}: expected a legal move, with the number {}",
                    others.join(", "),
                    position.ply() + 1
                ),
                _ => refuse!("{}: expected one move", moves.join(" ")),
            };
        }
        let opened = figure.candidates.iter().filter_map(|candidate| {
            let opening = Opening::at(candidate.fen.clone());
            rules.open(&opening).ok()
        });
        let shown: Vec<_> = opened.collect();
        let leads_there = |code: &String| {
            let mut after = position.fork();
            let mut shown = shown.iter();
            after.play(code).is_ok()
                && shown.any(|board| is_same_board(board.as_ref(), after.as_ref()))
        };
        let codes: Vec<String> = position.moves().into_iter().filter(leads_there).collect();
        match codes.as_slice() {
            [code] => Ok(Some(code.clone())),
            [] => refuse!("no legal move leads to the board in it: expected one move"),
            _ => {
                let codes = codes.join(" or ");
                refuse!("the board in it may be after {codes}: expected the move")
            }
        }
    }
}
