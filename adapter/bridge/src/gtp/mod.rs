//! GTP, the Go Text Protocol, with GoGui's extensions for games other than Go.
//!
//! GoGui gets the board, the legal moves and the side to move from the program (`gogui-rules_*`) and sends single
//! points. A move of two clicks is two half moves, and the side to move stays the same after the first. Player 1 is
//! black, also after a swap: then the stones on the board change colour. A swap is sent as a click on a stone.
//!
//! `command`, [`vertex`] and `response` parse and format lines. `layout` maps each game's spots to points,
//! `half_move_game` makes the moves, and `session` answers the commands. `program` is the opposite adapter: a GTP
//! program as an engine.

mod command;
mod response;
pub mod vertex;

mod board_moves;
mod clock;
mod half_move_game;
mod launch;
mod layout;
mod picture;
mod program;
mod session;

pub use board_moves::half_moves;
pub use launch::{check, gogui_command, refuse};
pub(crate) use program::GtpProgram;
pub use session::run;
