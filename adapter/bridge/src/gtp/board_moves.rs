//! Legal moves as half moves on a GTP board.

use kit::diagram::Input;
use kit::{DynHistory, View};

use super::layout::Layout;
use crate::half_moves::{Click, HalfMoves};

/// Returns the legal moves of a position as half moves on a GTP board; `None` if the game fits no GTP board.
pub fn half_moves(game: &str, board: &dyn DynHistory) -> Option<Result<HalfMoves, String>> {
    let layout = Layout::new(game, board)?;
    Some(half_moves_on(layout, board))
}

pub(super) fn half_moves_on(layout: Layout, board: &dyn DynHistory) -> Result<HalfMoves, String> {
    HalfMoves::new(&board.diagram(View::default()), |gesture| match gesture {
        Input::Button(_) => Some(vec![Click::Pass]),
        Input::Spots(spots) => {
            let points = spots.iter().map(|spot| layout.point(spot));
            points.map(|point| point.map(Click::At)).collect()
        }
    })
}
