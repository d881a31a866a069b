//! GTP, the Go Text Protocol, with GoGui's extensions for games other than Go.
//!
//! GoGui gets the board, the legal moves and the side to move from the program (`gogui-rules_*`) and sends single
//! points. A move of two clicks is two half moves, and the side to move stays the same after the first. Black is player
//! 1. `swap` and `pass` are sent as a pass. After a swap, black is still player 1, and the stones on the board change
//! colour.
//!
//! [`command`], [`vertex`] and [`response`] parse and format lines. `layout` maps each game's spots to points,
//! `half_move_game` makes the moves, and `session` answers the commands. `program` is the opposite adapter: a GTP
//! program as an engine.

pub mod command;
pub mod response;
pub mod vertex;

mod clock;
mod half_move_game;
mod known_game;
mod layout;
mod picture;
mod program;
mod session;

use kit::diagram::Input;
use kit::{DynHistory, View};

use crate::half_moves::{Click, HalfMoves, NoClicks};
use layout::Layout;

pub use program::GtpProgram;
pub use session::run;

/// Returns the legal moves of a position as half moves on a GTP board; `None` if the game fits no GTP board.
pub fn half_moves(game: &str, board: &dyn DynHistory) -> Option<Result<HalfMoves, NoClicks>> {
    let layout = Layout::new(game, board)?;
    Some(half_moves_on(layout, board))
}

fn half_moves_on(layout: Layout, board: &dyn DynHistory) -> Result<HalfMoves, NoClicks> {
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
