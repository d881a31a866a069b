//! Moves sent as a drawing: the board after the move, pasted into an answer.

use kit::DynHistory;
use table::figure::FigureReader;

use super::board::{Board, spec};
use super::play::read_one;
use super::work::Work;
use crate::error::{Answer, refuse};

impl Work<'_> {
    /// Returns the move that leads to the board drawn in a text. If the drawing shows the current board instead,
    /// returns the first line of the remaining text that is a move. `None` if the text contains no board.
    pub(super) fn drawn_move(
        &self,
        board: &Board,
        position: &dyn DynHistory,
        text: &[String],
    ) -> Answer<Option<String>> {
        let rules = self.rules(&spec(board)?)?;
        let mut reader = FigureReader::new(rules.entry(), rules.options());
        let mut others = Vec::new();
        for line in text {
            if !reader.push(line) {
                others.push(line);
            }
        }
        let figures: Vec<_> = reader.figures().into_iter().flatten().collect();
        let Some(figure) = figures.last() else {
            return Ok(None);
        };
        let is_shown = |fen: &str| {
            let mut shown = figure.candidates.iter();
            shown.any(|candidate| stones(&candidate.fen) == stones(fen))
        };
        if is_shown(&position.fen()) {
            let mut moves = others
                .iter()
                .filter_map(|line| read_one(position, line).ok());
            return match moves.next() {
                Some(code) => Ok(Some(code)),
                None => refuse!(
                    "the board in it is that of the quoted e-mail: expected the board after the move, or a move below \
                     it"
                ),
            };
        }
        let leads_there = |code: &String| {
            let mut after = position.fork();
            after.play(code).is_ok() && is_shown(&after.fen())
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

/// Returns the board part of a position string, without the move counters.
fn stones(fen: &str) -> &str {
    fen.split(' ').next().unwrap_or_default()
}
