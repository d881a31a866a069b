//! Players, which can be asked for a move.
//!
//! [`Player`] is the interface that a game uses; [`Oracle`] is the part that only engines support. [`EnginePlayer`] is
//! an engine with everything needed to start it, and to restart it after a fault. Only [`Player::wait`] and functions
//! documented to block do so.

mod config;
mod engine;
pub mod names;
mod options;
mod source;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use kit::Outcome;
use protocol::{Go, Info, Query};
use record::clock::Clock;

use crate::client::{BestMove, Complaint, Fault, Message};
use crate::process::Batch;

pub use crate::client::Timeouts;
pub use config::{EngineConfig, NO_DEPTH};
pub use engine::EnginePlayer;
pub use options::{TABLE_PATH, choose_options};
pub use record::engine_spec::SetOption;
pub use source::{EngineSource, SeatEngine};

/// A player in a game, as a state machine that does not block.
pub trait Player: Send {
    /// Display name.
    fn name(&self) -> &str;

    /// Creates the player's clock for a game.
    fn clock(&self) -> Clock;

    /// Prepares for a new game; [`PlayerEvent::Ready`] follows.
    ///
    /// # Errors
    /// If the player cannot be started.
    fn begin(&mut self, now: Instant) -> Result<(), Fault>;

    /// Requests a move in the position of a `position` line; [`PlayerEvent::Moved`] follows. `allowance` is the time
    /// that the clock permits. Without one, the search timeout applies.
    ///
    /// # Errors
    /// If the player has sent an unasked move or is not running.
    fn start_move(
        &mut self,
        position: &str,
        go: Go,
        allowance: Option<Duration>,
    ) -> Result<(), Fault>;

    /// Makes a thinking player move now; [`PlayerEvent::Moved`] follows.
    fn move_now(&mut self) {}

    /// Ends thinking or pondering; the result is ignored.
    fn give_up(&mut self) {}

    /// Lets the player ponder on the expected position. Does nothing if pondering is disabled for this player.
    fn ponder(&mut self, _position: String, _go: Go) {}

    /// Reports the final position, as a `position` line, of a game that ended by the rules, or else with this result. Only
    /// players that learn from games use it.
    fn end_game(&mut self, _position: &str, _result: Option<Outcome>) {}

    /// Returns the next event, or `None`. Does not block.
    ///
    /// # Errors
    /// A fault of the player, including a missed deadline.
    fn poll(&mut self, now: Instant) -> Result<Option<PlayerEvent>, Fault>;

    /// Latest time of the next poll; `None` if nothing is expected.
    fn deadline(&mut self, _now: Instant) -> Option<Instant> {
        None
    }

    /// The channel to select on, if [`EngineConfig::is_at_table`]. It is ready when there is something to
    /// [`poll`](Player::poll).
    fn receiver(&self) -> Option<&Receiver<Batch<Message>>> {
        None
    }

    /// Blocks until the next event.
    ///
    /// # Errors
    /// Those of [`poll`](Player::poll), and [`Fault::Stopped`].
    fn wait(&mut self) -> Result<PlayerEvent, Fault>;

    /// Blocks until the player is ready for the game.
    ///
    /// # Errors
    /// A fault of the player, or [`Fault::Stopped`].
    fn wait_until_ready(&mut self) -> Result<(), Fault> {
        while self.wait()? != PlayerEvent::Ready {}
        Ok(())
    }

    /// Begins a game and blocks until the player is ready for it.
    ///
    /// # Errors
    /// A fault of the player, or [`Fault::Stopped`].
    fn begin_and_wait(&mut self) -> Result<(), Fault> {
        self.begin(Instant::now())?;
        self.wait_until_ready()
    }

    /// Blocks until the requested move arrives.
    ///
    /// # Errors
    /// A fault of the player, or [`Fault::Stopped`].
    fn wait_for_move(&mut self) -> Result<BestMove, Fault> {
        loop {
            if let PlayerEvent::Moved(best) = self.wait()? {
                return Ok(best);
            }
        }
    }

    /// The interface for queries about the game, if the player supports it.
    fn oracle(&mut self) -> Option<&mut dyn Oracle> {
        None
    }

    /// Reports that the player lost a game through a fault.
    fn on_forfeit(&mut self) {}

    /// `true` if this answer is no move, but the player resigns.
    fn resigns(&self, _answer: &str) -> bool {
        false
    }

    /// Returns and clears what the user should know of the player, and what costs nothing.
    fn drain_notes(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The player's error message about the last position or `go`.
    fn complaint(&self) -> Option<&Complaint> {
        None
    }

    /// The failure of a rules program that a built-in engine reports: the engine searches that program's moves.
    fn rules_failure(&self) -> Option<String> {
        None
    }

    /// The last lines exchanged and the end of standard error, for a report.
    fn last_output(&self) -> (Vec<String>, String) {
        Default::default()
    }
}

/// An event from a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayerEvent {
    /// The engine is started, and its options are set.
    Started,
    /// The player is ready for a game.
    Ready,
    /// The player's move.
    Moved(BestMove),
    /// The answer to the next query.
    Response(String),
    /// Search info selected by [`EngineConfig::infos`].
    Info(Box<Info>),
    /// The message of an engine that has learned from a game.
    Learned(String),
}

/// Answers queries about a game.
pub trait Oracle {
    /// `true` if the query is supported.
    fn answers(&self, question: Query) -> bool;

    /// Sends queries about the position of a `position` line without waiting.
    ///
    /// # Errors
    /// If the engine has sent an unasked move or is not running.
    fn ask(&mut self, position: &str, questions: &[Query]) -> Result<(), Fault>;

    /// Reads what has arrived, without waiting.
    fn fetch(&mut self) {}

    /// Blocks until the answer to the next query.
    ///
    /// # Errors
    /// A fault of the engine, or [`Fault::Stopped`].
    fn response(&mut self) -> Result<String, Fault>;
}
