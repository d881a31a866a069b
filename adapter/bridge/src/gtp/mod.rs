//! GTP, the Go Text Protocol, as GoGui speaks it to programs that know other games than Go.
//!
//! GoGui takes the board, the legal moves and the side to move from the program (`gogui-rules_*`) and sends single
//! points. A move of two clicks is two half moves: after the first one, the same side is to move. Black is player 1.
//! `swap` and `pass` are a pass; after a swap, black is still player 1, and the stones on the board exchange their
//! colours.
//!
//! [`command`], [`vertex`] and [`response`] are lines as values and back; `layout` says where each game's spots lie,
//! `half_move_game` makes the moves, `session` answers the commands. `program` is the other end: a GTP program as an engine.

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

/// The legal moves of a position as half moves on a GTP board; `None` for a game that fits none.
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
