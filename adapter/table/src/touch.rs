//! Touch-move: a player who touches a piece must move it, and loses if it cannot move.
//!
//! The moves of a piece are derived from the diagram, the same way for every game: such a move is entered by two spots,
//! and the first of them is the piece's.

use kit::diagram::Input;
use kit::{Diagram, DynHistory, View};
use record::opening::Opening;
use record::registry::Rules;

/// Number of plies searched for a move of a piece.
const DEPTH: usize = 8;

/// State of the touch-move rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TouchMove {
    pub(super) is_on: bool,
    /// The spot of the piece that must move.
    pub(super) touched: Option<String>,
}

/// The moves of the piece on a spot.
pub fn moves_of(board: &dyn DynHistory, spot: &str) -> Vec<String> {
    let diagram = board.diagram(View::default());
    moves_from(&diagram, spot).map(str::to_owned).collect()
}

/// The starting spot of a piece's move; `None` for other moves.
pub(super) fn origin(input: &Input) -> Option<&str> {
    match input {
        Input::Spots(spots) if spots.len() > 1 => spots.first().map(String::as_str),
        _ => None,
    }
}

/// The moves of the piece on a spot.
pub(super) fn moves_from<'d>(diagram: &'d Diagram, spot: &str) -> impl Iterator<Item = &'d str> {
    let gestures = diagram.gestures.iter();
    let own = gestures.filter(move |gesture| origin(&gesture.input) == Some(spot));
    own.map(|gesture| gesture.code.as_str())
}

/// `true` if the game has pieces that move: within a few plies, some move is entered by two spots.
pub fn has_moving_pieces(rules: &Rules) -> bool {
    let Ok(mut board) = rules.open(&Opening::default()) else {
        return false;
    };
    for _ in 0..DEPTH {
        let diagram = board.diagram(View::default());
        let gestures = &diagram.gestures;
        if gestures
            .iter()
            .any(|gesture| origin(&gesture.input).is_some())
        {
            return true;
        }
        let Some(code) = board.moves().into_iter().next() else {
            return false;
        };
        if board.play(&code).is_err() {
            return false;
        }
    }
    false
}

/// The short name of a spot: the last word of its id, as in `3` for `reserve p1 3`.
pub fn short(id: &str) -> &str {
    id.rsplit(' ').next().unwrap_or(id)
}
