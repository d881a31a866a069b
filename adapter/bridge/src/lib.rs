//! Bridges: engines of Linesman in GUIs that speak other protocols.
//!
//! A bridge reads the lines of a GUI and answers them. It is a client of a table of its own ([`HostedGame`]), which
//! knows the rules and runs the engine; the bridge itself holds no rule. What a game looks like in a GUI is data in the
//! module of the protocol: where its spots lie on the GUI's board ([`half_moves`]).
//!
//! The engine is started when it is first asked for a move, so the start of a bridge is cheap. Nothing here prints: the
//! program hands in input and output.

pub mod cecp;
pub mod gtp;
pub mod half_moves;
mod hosted_game;
mod input;
mod log;
mod setup;
pub mod ugi;

pub use hosted_game::{HostedGame, News, Refused};
pub use input::{Input, Lines, Received};
pub use log::LoggedOutput;
pub use setup::{BridgeError, BridgeSetup};
