//! Legal moves as half moves on a GTP board.

use kit::diagram::Input;
use kit::{DynHistory, View};

use super::layout::Layout;
use crate::half_moves::{Click, HalfMoves, NoClicks};

/// Returns the legal moves of a position as half moves on a GTP board; `None` if the game fits no GTP board.
pub fn half_moves(game: &str, board: &dyn DynHistory) -> Option<Result<HalfMoves, NoClicks>> {
    let layout = Layout::new(game, board)?;
    Some(half_moves_on(layout, board))
}

pub(super) fn half_moves_on(layout: Layout, board: &dyn DynHistory) -> Result<HalfMoves, NoClicks> {
    HalfMoves::new(&board.diagram(View::default()), |gesture| match gesture {
        Input::Button(_) => Some(vec![Click::Pass]),
        Input::Spots(spots) => {
            let spots = spots.iter();
            spots
                .map(|spot| layout.point(spot).map(Click::At))
                .collect()
        }
    })
}
