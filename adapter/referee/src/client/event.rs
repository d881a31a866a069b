//! What comes of a dialogue: moves with their thoughts, answers, complaints.

use std::time::Duration;

use protocol::{Info, Query, Score};

/// How long an engine may take for what no clock covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For the handshake and its options.
    pub startup: Duration,
    /// For any other answer.
    pub ping: Duration,
    /// For a search that no clock bounds.
    pub search: Duration,
}

/// What an engine thought of its move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thought {
    /// The score from the mover's point of view; mates as the engine counts them.
    pub score: Option<Score>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// The line expected, its own move first.
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
    /// The code as the engine wrote it.
    pub code: String,
    /// The answer that it expects.
    pub ponder: Option<String>,
    /// From the write of `go` to the arrival of the answer.
    pub elapsed: Duration,
    /// What it thought.
    pub thought: Thought,
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientEvent {
    /// The handshake is over: name and options are known.
    Greeted,
    /// The options are set.
    Set,
    /// The engine is ready for the new game.
    Ready,
    /// These questions were answered.
    Probed(Vec<Query>),
    /// The answer to `go` or `ponderhit`.
    BestMove(BestMove),
    /// The answer to the next question.
    Response(String),
    /// What the engine thinks while it searches, if that is told.
    Info(Box<Info>),
}

/// An `info error` line that came after a position or a `go` was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The command that the engine rejects.
    pub command: &'static str,
    /// The engine's words.
    pub words: String,
}
