//! Those who play: whoever can be asked for a move.
//!
//! [`Player`] is what a game needs of them, [`Oracle`] what only engines answer. [`EnginePlayer`] is an engine together
//! with all that it takes to start it, and to start it again after a fault. Nothing here waits, but [`Player::wait`] and
//! what is said to block.

mod config;
mod engine;
mod options;
mod source;
mod team;

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use protocol::{Go, Info, Query};

use crate::client::{BestMove, Complaint, Fault, Message};
use crate::clock::Clock;
use crate::process::Batch;

pub use crate::client::Timeouts;
pub use config::{EngineConfig, executable};
pub use engine::EnginePlayer;
pub use options::SetOption;
pub(crate) use options::choose_options;
pub(crate) use source::{EngineSource, SeatEngine};
pub(crate) use team::Team;

/// A player at the board: a state machine without waits.
pub trait Player: Send {
    /// The name to show; where partners take turns, that of the one whose turn it is.
    fn name(&self) -> &str;

    /// A fresh clock for one game.
    fn clock(&self) -> Clock;

    /// Begins to get ready for another game; [`PlayerEvent::Ready`] follows.
    ///
    /// # Errors
    /// The player cannot be started.
    fn begin(&mut self, now: Instant) -> Result<(), Fault>;

    /// Asks for a move in the position that a `position` line tells; [`PlayerEvent::Moved`] follows. `allowance` is
    /// what the clock allows. Without one, the search timeout holds.
    ///
    /// # Errors
    /// The player has sent a move that nobody asked for, or does not run.
    fn start_move(
        &mut self,
        position: &str,
        go: Go,
        allowance: Option<Duration>,
    ) -> Result<(), Fault>;

    /// Has a player who thinks move at once; the answer comes as [`PlayerEvent::Moved`].
    fn move_now(&mut self);

    /// Ends thinking and pondering; the answer is thrown away.
    fn give_up(&mut self);

    /// Lets the player think on the other's time about the position that is expected. Nothing comes of it if this player
    /// does not ponder.
    fn ponder(&mut self, position: String, go: Go);

    /// The game is over by its rules: tells a player who learns from games the last position, as a `position` line.
    fn end_game(&mut self, _position: &str) {}

    /// What has come, without waiting.
    ///
    /// # Errors
    /// What the player did wrong, also if a deadline has passed.
    fn poll(&mut self, now: Instant) -> Result<Option<PlayerEvent>, Fault>;

    /// When to poll again at the latest; `None` while nothing is due.
    fn deadline(&mut self, now: Instant) -> Option<Instant>;

    /// What to select on, if [`EngineConfig::is_at_table`]: when it is ready, there is something to
    /// [`poll`](Player::poll).
    fn receiver(&self) -> Option<&Receiver<Batch<Message>>>;

    /// Blocks until the next event comes.
    ///
    /// # Errors
    /// As [`poll`](Player::poll), and [`Fault::Stopped`].
    fn wait(&mut self) -> Result<PlayerEvent, Fault>;

    /// Whoever answers questions about the game, if this player does.
    fn oracle(&mut self) -> Option<&mut dyn Oracle>;

    /// Takes notice that a game was lost through a fault.
    fn blame(&mut self);

    /// What the player said against the last position or `go`.
    fn complaint(&self) -> Option<&Complaint>;

    /// The last lines exchanged and the end of what went to standard error, for a report.
    fn last_output(&self) -> (Vec<String>, String);
}

/// What comes of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayerEvent {
    /// The engine is started: its name and its options are known and set.
    Started,
    /// The player is ready for the game.
    Ready,
    /// The player's move.
    Moved(BestMove),
    /// The answer to the next question.
    Response(String),
    /// What an engine thinks while it searches, as far as [`EngineConfig::infos`] wants it.
    Info(Box<Info>),
}

/// Whoever answers questions about a game.
pub trait Oracle {
    /// Whether this question is answered.
    fn answers(&self, question: Query) -> bool;

    /// Asks questions about the position that a `position` line tells, without waiting.
    ///
    /// # Errors
    /// The engine has sent a move that nobody asked for, or does not run.
    fn ask(&mut self, position: &str, questions: &[Query]) -> Result<(), Fault>;

    /// Blocks until the answer to the next question comes.
    ///
    /// # Errors
    /// What the engine did wrong, or [`Fault::Stopped`].
    fn response(&mut self) -> Result<String, Fault>;
}

/// Blocks until a player who has begun is ready.
pub(crate) fn wait_until_ready(player: &mut dyn Player) -> Result<(), Fault> {
    while player.wait()? != PlayerEvent::Ready {}
    Ok(())
}
