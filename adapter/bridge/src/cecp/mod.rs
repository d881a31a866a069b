//! CECP, the Chess Engine Communication Protocol, version 2, as used by XBoard.
//!
//! XBoard can play unknown games if the engine defines them as variants. `session` is the dialogue with the GUI.
//! `layout` maps a game's cells to XBoard's board; `fen` and `square` are XBoard's notation of positions and moves.
//! `program` is the opposite adapter: a CECP program as an engine, and `reply` its lines. `pieces` and `launch` help
//! users to start XBoard.

mod engine_option;
mod fen;
mod launch;
mod layout;
mod limits;
mod pieces;
mod program;
mod reply;
mod session;
mod square;

pub use launch::{layout_of, needs_follower, xboard_command};
pub use layout::Layout;
pub use pieces::write_pieces;
pub(crate) use program::CecpProgram;
pub use session::{run, show_error};
