//! Bridges: engines of Linesman in GUIs with other protocols.
//!
//! A bridge reads the lines of a GUI and answers them. It is a client of a table (`HostedGame`), which knows
//! the rules and runs the engine; the bridge itself contains no rules. The mapping of a game to a GUI's board is data
//! in the module of the protocol ([`half_moves`]).
//!
//! The engine is started at the first request for a move, so a bridge starts quickly. The crate prints nothing; the
//! caller passes in input and output.

pub mod cecp;
mod cells;
pub mod command_line;
mod game_event;
pub mod gtp;
pub mod half_moves;
mod hosted_game;
mod input;
mod log;
mod setup;
pub mod ugi;
mod wording;

use game_event::GameEvent;
use hosted_game::HostedGame;
pub use input::Lines;
use input::{Input, Received};
pub use log::LoggedOutput;
pub use setup::{BridgeError, BridgeSetup};
