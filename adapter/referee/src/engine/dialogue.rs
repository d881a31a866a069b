//! The dialogue with one engine: the referee's side of the protocol, as a state machine without input or output.
//!
//! The state is the reply that is awaited; a request made while another reply is outstanding is queued. Requests are in
//! `request`, what has arrived is handled in `hear`, and what happens before the first move is in `setup`.

use std::collections::VecDeque;
use std::fmt::Write;
use std::time::{Duration, Instant};

use kit::Outcome;
use protocol::{Command, Dialect, Go, OptionDecl, Query};
use record::engine_spec::SetOption;

use super::config::{EngineConfig, Timeouts};
use super::filter::{Message, Received};
use super::life::{Life, Watch};

/// Maximum number of options that an engine may declare; later ones are ignored.
pub(crate) const MAX_OPTIONS: usize = 1000;

/// Interval for retrying a write to a full pipe.
const WRITE_PAUSE: Duration = Duration::from_millis(1);

/// The replies that are awaited.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum State {
    /// None.
    #[default]
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

/// Progress of starting an engine and its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// Handshake, options, queries. If `is_game_due`, a new game follows.
    Starting { is_game_due: bool },
    /// A new game was announced. `is_fresh` if the process was started for it.
    Preparing { is_fresh: bool },
    /// Ready for requests.
    #[default]
    Running,
}

/// Lines to be sent when no other reply is outstanding.
#[derive(Debug)]
pub(super) enum Queued {
    /// `setoption` commands and `isready`.
    Options(Vec<SetOption>),
    /// `uginewgame` or `ucinewgame`, the `position` line if there is one, and `isready`.
    NewGame(Option<String>),
    /// `position` and `go`; the `bestmove` must arrive within the time.
    Go(String, Go, Duration),
    /// The final position of a game, and its result if that is not by the rules. No reply is expected.
    GameEnd(String, Option<Outcome>),
    /// `position` and queries about it.
    Query(String, Vec<Query>),
}

/// An `info error` line received after a position or a `go` was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The rejected command.
    pub command: &'static str,
    /// The engine's message.
    pub words: String,
}

/// Facts about a running engine.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The name from the engine's `id name`.
    pub id_name: Option<String>,
    /// The options that the engine declared.
    pub declared: Vec<OptionDecl>,
    /// The engine's error message about the last position or `go`.
    pub complaint: Option<Complaint>,
    /// Notes for the user that lose no game: options that the engine rejected, and remarks of a bridge.
    pub notes: Vec<String>,
    /// A game has ended, and what the engine learned from it is not known yet.
    pub is_learning: bool,
}

/// The state of a dialogue.
#[derive(Debug, Default)]
pub(super) struct Dialogue {
    /// What is known of the engine.
    pub(super) facts: Facts,
    /// Messages that were read and not handled yet.
    pub(super) inbox: VecDeque<Received>,
    /// Lines to be sent.
    pub(super) lines: String,
    /// The seed of the last game.
    pub(super) seed: Option<u64>,
    pub(super) state: State,
    pub(super) dialect: Dialect,
    pub(super) timeouts: Timeouts,
    pub(super) stage: Stage,
    /// The outstanding reply.
    pub(super) watch: Watch,
    pub(super) queue: VecDeque<Queued>,
    /// The position of the current pondering search.
    pub(super) pondered: Option<String>,
    /// Options set during the handshake. The engine receives those that it declares.
    pub(super) late_options: Vec<SetOption>,
    /// `query moves` was sent to an engine that may not know it, and not answered yet.
    pub(super) is_moves_tried: bool,
    /// The process has the seed of a game as its option `Seed`.
    pub(super) is_seeded: bool,
    /// The position of the last queries, until anything else is sent. A search of it needs no second `position`.
    pub(super) asked: String,
}

impl Dialogue {
    /// Begins the handshake with an engine that was just started.
    pub(super) fn begin(config: &EngineConfig, now: Instant) -> Dialogue {
        let mut dialogue = Dialogue {
            dialect: config.spec.proto.into(),
            timeouts: config.timeouts,
            stage: Stage::Starting { is_game_due: false },
            ..Dialogue::default()
        };
        dialogue.push(&Command::Handshake(dialogue.dialect));
        dialogue.enter(State::Handshake, Some(dialogue.timeouts.startup), now);
        dialogue
    }

    /// `true` once the handshake is over.
    pub(super) fn is_greeted(&self) -> bool {
        self.state != State::Handshake
    }

    pub(super) fn is_pondering(&self) -> bool {
        matches!(self.state, State::Pondering { .. })
    }

    /// `true` while the engine starts and no game waits for it.
    pub(super) fn is_idle_start(&self) -> bool {
        self.stage == (Stage::Starting { is_game_due: false })
    }

    /// Latest time of the next step.
    pub(super) fn deadline(&mut self, life: &mut dyn Life, now: Instant) -> Option<Instant> {
        if !self.inbox.is_empty() {
            return Some(now);
        }
        let unsent = (!life.flush()).then(|| now + WRITE_PAUSE);
        [self.watch.due(), unsent].into_iter().flatten().min()
    }

    pub(super) fn push(&mut self, command: &Command) {
        writeln!(self.lines, "{}", command.display(self.dialect)).expect("a string takes all");
    }

    /// Waits for the replies of a new state, with an optional timeout.
    pub(super) fn enter(&mut self, state: State, timeout: Option<Duration>, now: Instant) {
        self.state = state;
        self.watch.set(timeout.map(|timeout| now + timeout), now);
    }

    /// Becomes idle: no reply is outstanding.
    pub(super) fn rest(&mut self) {
        self.state = State::Idle;
        self.watch.end();
    }

    /// Abandons the search without sending `stop`.
    pub(super) fn abandon(&mut self) {
        self.rest();
        self.state = State::Abandoned { is_stopped: false };
    }

    /// Ends pondering and ignores its result. If the engine has already sent a `bestmove`, that was the result.
    pub(super) fn end_pondering(&mut self, now: Instant) {
        match self.state {
            State::Pondering { early: Some(_) } => self.rest(),
            State::Pondering { early: None } => {
                self.abandon();
                self.stop_abandoned(now);
            }
            _ => {}
        }
    }

    /// Sends `stop` for an abandoned search; its `bestmove` has a deadline from then on.
    pub(super) fn stop_abandoned(&mut self, now: Instant) {
        if self.state == (State::Abandoned { is_stopped: false }) {
            let ping = self.timeouts.ping;
            self.enter(State::Abandoned { is_stopped: true }, Some(ping), now);
            self.push(&Command::Stop);
        }
    }

    /// Discards messages that belong to a game that is over: they cause no fault and need not be waited for.
    pub(super) fn forget_game(&mut self, now: Instant) {
        match self.state {
            State::Handshake | State::Setting | State::Preparing | State::Probing { .. } => return,
            _ => {}
        }
        while let Some(received) = self.inbox.pop_front() {
            if matches!(received.message, Message::BestMove { .. }) {
                self.rest();
            }
        }
        match self.state {
            State::Thinking { .. } => self.abandon(),
            State::Answering { .. } => self.rest(),
            _ => {}
        }
        self.end_pondering(now);
        self.stop_abandoned(now);
    }
}
