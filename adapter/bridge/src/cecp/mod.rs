//! CECP, the Chess Engine Communication Protocol, version 2, as used by XBoard.
//!
//! XBoard can play unknown games if the engine defines them as variants. `session` is the dialogue with the GUI;
//! `command` and `reply` are its lines. `layout` maps a game's cells to XBoard's board; `fen` and `square` are XBoard's
//! notation of positions and moves. `program` is the opposite adapter: a CECP program as an engine. `pieces` and
//! `launch` help users to start XBoard.

pub mod command;
pub mod fen;
pub mod launch;
pub mod layout;
mod limits;
pub mod pieces;
mod prepare;
mod program;
pub mod reply;
mod session;
pub mod square;

pub use command::Command;
pub use fen::Fen;
pub use launch::{shell_line, xboard_command};
pub use layout::{Layout, Unfit};
pub use pieces::write_pieces;
pub use prepare::layout_of;
pub use program::CecpProgram;
pub use reply::Reply;
pub use session::run;
