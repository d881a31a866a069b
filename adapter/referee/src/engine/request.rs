//! Requests to an engine, its events, and the facts that its dialogue collects.

use std::time::Duration;

use kit::Outcome;
use protocol::{Go, Info, OptionDecl, Query};

use record::engine_spec::SetOption;

use super::fault::Fault;

/// In place of a move: the program behind a bridge resigns.
pub const RESIGN: &str = "resign";

/// A request to an engine. A position is a whole `position` line without its line break.
#[derive(Debug, Clone)]
pub enum Request<'a> {
    /// Start its process, shake hands, and set its options; [`EngineEvent::Started`] follows.
    Start,
    /// Prepare for a new game; [`EngineEvent::Ready`] follows. A process that is not running is started. With a seed, an
    /// engine that plays below full strength first gets a value of its option `Seed` that depends on it, unless the user has
    /// set that option: the game can be repeated.
    NewGame {
        /// The seed.
        seed: Option<u64>,
    },
    /// Set up a game from a position in the program behind a bridge; [`EngineEvent::Ready`] follows.
    SetUp(&'a str),
    /// Search a position; [`EngineEvent::Moved`] follows. If the engine ponders on the position, it has guessed right.
    Go {
        /// The position.
        position: &'a str,
        /// The limits.
        go: Go,
        /// The time that the clock permits. Without one, the search timeout applies.
        allowance: Option<Duration>,
    },
    /// Ponder on the expected position, if pondering is enabled for this engine and it is idle.
    Ponder {
        /// The position.
        position: &'a str,
        /// The limits.
        go: Go,
    },
    /// Answer queries about a position; [`EngineEvent::Response`] follows for each.
    Query {
        /// The position.
        position: &'a str,
        /// The queries.
        queries: &'a [Query],
    },
    /// Move now, when searching; [`EngineEvent::Moved`] follows.
    Stop,
    /// End a search or pondering; the result is not needed any more.
    GiveUp,
    /// The game has ended in this position, by the rules or with this result: sent to engines that learn from games.
    GameOver {
        /// The final position.
        position: &'a str,
        /// The result, if it is not by the rules.
        result: Option<Outcome>,
    },
    /// The engine has lost a game by a fault. Its process is replaced unless it is alive and `restart=off` is set.
    Forfeit,
    /// Quit. [`Engine::end`](super::Engine::end) waits for the process to exit.
    Quit,
}

/// An event of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineEvent {
    /// The process is started, and its options are set.
    Started,
    /// Ready for a game.
    Ready,
    /// A move.
    Moved(BestMove),
    /// The answer to the next query.
    Response(String),
    /// Search info selected by [`EngineConfig::infos`](super::EngineConfig::infos).
    Info(Box<Info>),
    /// The message of an engine that has learned from a game.
    Learned(String),
}

impl EngineEvent {
    /// Picks [`Ready`](EngineEvent::Ready).
    pub fn ready(self) -> Option<()> {
        (self == EngineEvent::Ready).then_some(())
    }

    /// Picks a move.
    pub fn moved(self) -> Option<BestMove> {
        match self {
            EngineEvent::Moved(best) => Some(best),
            _ => None,
        }
    }

    /// Picks the answer to a query.
    pub fn response(self) -> Option<String> {
        match self {
            EngineEvent::Response(text) => Some(text),
            _ => None,
        }
    }
}

/// An engine's answer to `go`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestMove {
    /// Move code as the engine wrote it.
    pub code: String,
    /// The reply that the engine expects.
    pub ponder: Option<String>,
    /// Time from writing `go` to receiving the answer.
    pub elapsed: Duration,
    /// What its last `info` line with a score said: score (mate distances as the engine counts them), depth, nodes, line.
    pub thought: Info,
}

/// An `info error` line received after a position or a `go` was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The rejected command.
    pub command: &'static str,
    /// The engine's message.
    pub words: String,
}

/// What is known of a running engine.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The name from the engine's `id name`.
    pub id_name: Option<String>,
    /// The options that the engine declared.
    pub declared: Vec<OptionDecl>,
    /// The engine's error message about the last position or `go`.
    pub complaint: Option<Complaint>,
    /// What the user should know of the engine, and what costs nothing: options that it rejected, and notes of a bridge.
    pub notes: Vec<String>,
    /// A game has ended, and what the engine learned from it is not known yet.
    pub is_learning: bool,
}

/// An engine in memory, for tests of what drives one: it takes requests and gives events, without lines.
pub trait Script: Send {
    /// Takes a request.
    ///
    /// # Errors
    /// As for [`Engine::ask`](super::Engine::ask).
    fn ask(&mut self, request: &Request<'_>) -> Result<(), Fault>;

    /// The next event.
    ///
    /// # Errors
    /// As for [`Engine::poll`](super::Engine::poll).
    fn poll(&mut self) -> Result<Option<EngineEvent>, Fault>;

    /// `true` if there is an event.
    fn is_due(&self) -> bool {
        true
    }

    /// `true` if the engine has this option.
    fn has_option(&self, _name: &str) -> bool {
        true
    }

    /// Sets an option.
    fn set_option(&mut self, _option: &SetOption) {}

    /// The last lines exchanged.
    fn last_lines(&self) -> Vec<String> {
        Vec::new()
    }

    /// The process has ended.
    fn end(&mut self) {}
}
