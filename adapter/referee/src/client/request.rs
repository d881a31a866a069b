//! Requests to an engine, and the replies that each one expects.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use kit::Outcome;
use protocol::{Dialect, Go, Query};

/// In place of a move: the program behind a bridge resigns.
pub const RESIGN: &str = "resign";

/// A request to an engine, sent when no other reply is outstanding.
#[derive(Debug, Clone)]
pub(super) enum EngineRequest {
    /// `ugi` or `uci`; name, options and `ugiok` or `uciok` follow.
    Handshake(Dialect),
    /// `setoption` commands and `isready`.
    Options(Vec<(String, Option<String>)>),
    /// `uginewgame` or `ucinewgame`, the `position` line if there is one, and `isready`.
    NewGame(Option<String>),
    /// Queries on the start position, to find those that the engine answers.
    Probe(Vec<Query>),
    /// `position` and `go`; the `bestmove` must arrive within `timeout`.
    Go {
        position: String,
        go: Go,
        timeout: Duration,
    },
    /// The final position of a game, and its result if that is not by the rules. No reply is expected.
    GameEnd {
        position: String,
        result: Option<Outcome>,
    },
    /// `position` and queries about it.
    Ask {
        position: String,
        queries: Vec<Query>,
    },
}

/// The replies that the client waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ClientState {
    /// None.
    Idle,
    /// `ugiok` or `uciok`.
    Handshake,
    /// `readyok` after options.
    Setting,
    /// `readyok` after a new game.
    Preparing,
    /// An optional `response` and a `readyok` for each query in `left`. `is_again` in the second round, of the queries
    /// that were `missing` a response in the first.
    Probing {
        left: VecDeque<Query>,
        answered: Vec<Query>,
        missing: Vec<Query>,
        is_again: bool,
    },
    /// `bestmove` to the `go` sent at `asked`. While `is_fenced`, the `readyok` of the same write must come first.
    Thinking { asked: Instant, is_fenced: bool },
    /// None while the engine ponders. `early` is a `bestmove` that it sent nevertheless.
    Pondering { early: Option<String> },
    /// The `bestmove` of an abandoned search, which is ignored.
    Abandoned { is_stopped: bool },
    /// `n_due` `response` lines.
    Answering { n_due: usize },
}

impl ClientState {
    /// `true` during a game and between games; `false` from the handshake or a new game until it is ready.
    pub(super) fn belongs_to_game(&self) -> bool {
        match self {
            ClientState::Handshake
            | ClientState::Setting
            | ClientState::Preparing
            | ClientState::Probing { .. } => false,
            ClientState::Idle
            | ClientState::Thinking { .. }
            | ClientState::Pondering { .. }
            | ClientState::Abandoned { .. }
            | ClientState::Answering { .. } => true,
        }
    }

    /// The expected reply, for error messages.
    pub(super) fn due(&self, dialect: Dialect) -> Option<&'static str> {
        Some(match self {
            ClientState::Idle | ClientState::Pondering { .. } => return None,
            ClientState::Handshake => dialect.handshake_ok(),
            ClientState::Setting | ClientState::Preparing | ClientState::Probing { .. } => {
                "readyok"
            }
            ClientState::Thinking { .. } | ClientState::Abandoned { .. } => "bestmove",
            ClientState::Answering { .. } => "response",
        })
    }
}
