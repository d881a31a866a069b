//! Results of the dialogue with an engine: events, moves with their search info, complaints.

use std::time::Duration;

use protocol::{Info, Query, Score};
use record::engine_spec::ProcessLimits;

/// Timeouts for everything that the game clock does not limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Timeouts {
    /// For the handshake and for setting options.
    pub startup: Duration,
    /// For any other answer.
    pub ping: Duration,
    /// For a search without a clock limit.
    pub search: Duration,
}

impl Timeouts {
    /// These timeouts with those that an engine has of its own.
    #[must_use]
    pub fn of_engine(self, own: ProcessLimits) -> Timeouts {
        let or = |own: Option<u64>, usual| own.map_or(usual, Duration::from_millis);
        Timeouts {
            startup: or(own.startup_ms, self.startup),
            ping: or(own.ping_ms, self.ping),
            search: or(own.search_timeout_ms, self.search),
        }
    }

    /// Timeouts in milliseconds, where a search has the time of any other answer.
    pub fn of_ms(startup_ms: u64, ping_ms: u64) -> Timeouts {
        let ping = Duration::from_millis(ping_ms);
        Timeouts {
            startup: Duration::from_millis(startup_ms),
            ping,
            search: ping,
        }
    }
}

/// Search info that an engine sent with its move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thought {
    /// Score from the side to move; mate distances as the engine counts them.
    pub score: Option<Score>,
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Principal variation, starting with the engine's move.
    pub pv: Vec<String>,
}

impl From<Info> for Thought {
    fn from(info: Info) -> Thought {
        Thought {
            score: info.score,
            depth: info.depth,
            nodes: info.nodes,
            pv: info.pv,
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
    /// Search info sent with the move.
    pub thought: Thought,
}

/// Result of a request to the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientEvent {
    /// The handshake is complete: name and options are known.
    Greeted,
    /// The options are set.
    Set,
    /// The engine is ready for a new game.
    Ready,
    /// The queries that the engine answered.
    Probed(Vec<Query>),
    /// The answer to `go` or `ponderhit`.
    BestMove(BestMove),
    /// The answer to the next query.
    Response(String),
    /// Search info, if the filter passes it on ([`Infos`](super::Infos)).
    Info(Box<Info>),
    /// The message of an engine that has learned from a game.
    Learned(String),
}

/// An `info error` line received after a position or a `go` was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The rejected command.
    pub command: &'static str,
    /// The engine's message.
    pub words: String,
}
