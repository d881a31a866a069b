//! Bridges: engines of Linesman in GUIs with other protocols.
//!
//! A bridge reads the lines of a GUI and answers them. It is a client of a table (`HostedGame`), which knows
//! the rules and runs the engine; the bridge itself contains no rules. The mapping of a game to a GUI's board is data
//! in the module of the protocol.
//!
//! The engine is started at the first request for a move, so a bridge starts quickly. The crate prints nothing; the
//! caller passes in input and output.

pub mod cecp;
pub mod gtp;
mod hosted_game;
mod input;
mod points;
mod setup;
pub mod ugi;

use hosted_game::{GuiWords, HostedGame};
use input::{GameEvent, Input};

pub use input::{Lines, LoggedOutput};
pub use setup::{BridgeError, BridgeSetup, Done, shell_line};
