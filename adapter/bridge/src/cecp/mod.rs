//! CECP, the Chess Engine Communication Protocol, version 2: engines in XBoard.
//!
//! XBoard plays games that it does not know when the engine defines them as variants. `session` is the dialogue;
//! `command` and `reply` are its lines. `layout` says where a game's cells lie on XBoard's board, `fen` and `square` how
//! XBoard writes positions and moves. `program` is the other end: a CECP program as an engine. `pieces` and `launch` are what a user needs to start XBoard.

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
