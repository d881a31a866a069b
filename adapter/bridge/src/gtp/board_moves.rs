//! Legal moves as half moves on a GTP board.

use kit::diagram::Input;
use kit::{DynHistory, View};

use super::layout::Layout;
use super::picture::Picture;
use crate::half_moves::{Click, HalfMoves};

/// Code and button of the swap, which is a click on any stone: GoGui takes a pass for the end of the game.
pub(super) const SWAP: &str = "swap";

/// Returns the legal moves of a position as half moves on a GTP board; `None` if the game fits no GTP board.
pub fn half_moves(game: &str, board: &dyn DynHistory) -> Option<Result<HalfMoves, String>> {
    let layout = Layout::new(game, board)?;
    Some(half_moves_on(layout, board))
}

pub(super) fn half_moves_on(layout: Layout, board: &dyn DynHistory) -> Result<HalfMoves, String> {
    let diagram = board.diagram(View::default());
    let stones: Vec<Click> = Picture::new(&diagram, layout)
        .stones()
        .map(Click::At)
        .collect();
    let mut moves = HalfMoves::new(&diagram, |gesture| match gesture {
        Input::Button(name) if name == SWAP => stones.first().map(|stone| vec![*stone]),
        Input::Button(_) => Some(vec![Click::Pass]),
        Input::Spots(spots) => {
            let points = spots.iter().map(|spot| layout.point(spot));
            points.map(|point| point.map(Click::At)).collect()
        }
    })?;
    if moves.clicks(SWAP).is_some() {
        for stone in stones.iter().skip(1) {
            moves.add(vec![*stone], SWAP);
        }
    }
    Ok(moves)
}
