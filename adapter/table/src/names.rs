//! Names of players and sides.

use kit::{DynHistory, Side};

/// The default name of a person; the second one gets a number.
pub(super) const UNNAMED: &str = "human";

/// `true` for the default name of a person. Messages call such a player by the side.
pub fn is_unnamed(name: &str) -> bool {
    let number = name.strip_prefix(UNNAMED);
    number.is_some_and(|number| {
        let digits = number.strip_prefix(" #");
        number.is_empty() || digits.is_some_and(|digits| digits.parse::<u32>().is_ok())
    })
}

pub(super) fn name_on(board: &dyn DynHistory, side: Side) -> String {
    let [p1, p2] = board.side_names();
    match side {
        Side::P1 => p1,
        Side::P2 => p2,
    }
}
