//! CECP, the Chess Engine Communication Protocol, version 2, as used by XBoard.
//!
//! XBoard can play unknown games if the engine defines them as variants. `session` is the dialogue with the GUI.
//! `layout` maps a game's cells to XBoard's board; `notation` is XBoard's of positions and moves.
//! `program` is the opposite adapter: a CECP program as an engine, and `reply` its lines. `launch` helps users
//! to start XBoard.

mod launch;
mod layout;
mod limits;
mod notation;
mod program;
mod reply;
mod session;

pub use launch::{layout_of, write_pieces, xboard_command};
pub use layout::Layout;
pub(crate) use program::CecpProgram;
pub use session::{run, show_error};
