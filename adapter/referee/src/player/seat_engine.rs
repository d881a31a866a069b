//! The operations of an engine that a table needs in addition to those of a [`Player`].

use std::time::Instant;

use super::Player;
use crate::client::Fault;

/// An engine at a table.
pub trait SeatEngine: Player {
    /// Starts the engine; [`PlayerEvent::Started`](crate::player::PlayerEvent::Started) follows.
    fn start(&mut self, now: Instant) -> Result<(), Fault>;

    /// The user's name for the engine; by default its `id name`, else the name of its program.
    fn given_name(&self) -> String;

    /// Changes the display name and the name in the log.
    fn rename(&mut self, name: &str);

    /// Checks an option against those that the running engine declares; any passes until the handshake is over. The
    /// error text says what the engine rejects.
    fn check_option(&self, name: &str, value: &str) -> Result<(), String>;

    /// Sets an option now and at each start. A searching engine receives it after its move. The error text says what
    /// the engine rejects.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String>;

    /// `true` from the end of a game until the message of what the engine learned from it.
    fn is_learning(&self) -> bool {
        false
    }

    /// Sends `quit` without waiting; [`end`](SeatEngine::end) waits for the process to exit.
    fn ask_to_quit(&mut self);

    /// Blocks until the engine has exited; kills it at the deadline. Returns `true` if it exited by itself.
    fn end(&mut self, deadline: Instant) -> bool;
}
