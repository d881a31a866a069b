//! What an engine is asked for, and what is expected of it then.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use protocol::{Dialect, Go, Query};

/// Something that an engine is asked for. It is sent when the engine owes nothing else.
#[derive(Debug, Clone)]
pub(super) enum Request<'a> {
    /// Who are you, and what can be set?
    Handshake(Dialect),
    /// Set these options, and say when you are ready.
    Options(Cow<'a, [(String, Option<String>)]>),
    /// Another game begins; say when you are ready.
    NewGame,
    /// Which of these questions about the start position do you answer?
    Probe(Cow<'a, [Query]>),
    /// Search this position; `timeout` is how long that may take.
    Go {
        position: Cow<'a, str>,
        go: Go,
        timeout: Duration,
    },
    /// Take notice of the position in which the game ended. Nothing is due.
    GameEnd { position: Cow<'a, str> },
    /// Answer these questions about this position.
    Ask {
        position: Cow<'a, str>,
        queries: Cow<'a, [Query]>,
    },
}

impl Request<'_> {
    /// The same request, to be kept.
    pub(super) fn into_owned(self) -> Request<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        match self {
            Request::Handshake(dialect) => Request::Handshake(dialect),
            Request::Options(options) => Request::Options(Cow::Owned(options.into_owned())),
            Request::NewGame => Request::NewGame,
            Request::Probe(queries) => Request::Probe(Cow::Owned(queries.into_owned())),
            Request::Go {
                position,
                go,
                timeout,
            } => Request::Go {
                position: own(position),
                go,
                timeout,
            },
            Request::GameEnd { position } => Request::GameEnd {
                position: own(position),
            },
            Request::Ask { position, queries } => Request::Ask {
                position: own(position),
                queries: Cow::Owned(queries.into_owned()),
            },
        }
    }
}

/// What the engine owes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing.
    Idle,
    /// `ugiok` or `uciok`.
    Handshake,
    /// `readyok` to options.
    Setting,
    /// `readyok` to a new game.
    Preparing,
    /// Perhaps a `response` to the first question, then `readyok`, and so on with the next question.
    Probing {
        left: VecDeque<Query>,
        answered: Vec<Query>,
    },
    /// `bestmove`, asked for at this time. While `is_fenced`, the `readyok` of the same write comes first.
    Thinking { asked: Instant, is_fenced: bool },
    /// Nothing yet: it ponders. An engine must not answer now; `early` is what it answered nevertheless.
    Pondering { early: Option<String> },
    /// The `bestmove` of a search that was given up, which nobody wants.
    Abandoned { is_stopped: bool },
    /// So many `response` lines.
    Answering { n_due: usize },
}

impl State {
    /// Whether a game is in play, or none has begun since the last one.
    pub(super) fn belongs_to_game(&self) -> bool {
        match self {
            State::Handshake | State::Setting | State::Preparing | State::Probing { .. } => false,
            State::Idle
            | State::Thinking { .. }
            | State::Pondering { .. }
            | State::Abandoned { .. }
            | State::Answering { .. } => true,
        }
    }

    /// The word that is due.
    pub(super) fn due(&self, dialect: Dialect) -> Option<&'static str> {
        Some(match self {
            State::Idle | State::Pondering { .. } => return None,
            State::Handshake => dialect.handshake_ok(),
            State::Setting | State::Preparing | State::Probing { .. } => "readyok",
            State::Thinking { .. } | State::Abandoned { .. } => "bestmove",
            State::Answering { .. } => "response",
        })
    }
}
