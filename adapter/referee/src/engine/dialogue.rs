//! The dialogue with one engine: the referee's side of the protocol, as a state machine without input or output.
//!
//! [`Dialogue::ask`] writes lines to `lines`, and [`Dialogue::step`] handles what is in `inbox`. The state is the reply that is
//! awaited; a request made while another reply is outstanding is queued. What a message means is in `hear`, what happens
//! before the first move in `setup`, and what no message says in `life`.

use std::collections::VecDeque;
use std::fmt::Write;
use std::time::{Duration, Instant};

use kit::Outcome;
use kit::session::{LEARN, LEARN_RESULT};
use protocol::{Command, Dialect, Go, Query};
use record::engine_spec::SetOption;

use super::config::{EngineConfig, Timeouts};
use super::fault::Fault;
use super::filter::{Message, Received};
use super::life::{LIFE_CHECK, Life};
use super::request::{EngineEvent, Facts, Request};

/// Maximum number of messages processed by one [`Dialogue::step`], so that a flooding engine cannot block the caller.
const MAX_MESSAGES: usize = 256;

/// Maximum number of options that an engine may declare; later ones are ignored.
pub(crate) const MAX_OPTIONS: usize = 1000;

/// Interval for retrying a write to a full pipe.
const WRITE_PAUSE: Duration = Duration::from_millis(1);

/// Time in which a built-in engine reports that its process of a rules program does not answer: five seconds, and as much
/// for a busy machine.
const RULES_REPORT: Duration = Duration::from_secs(10);

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
    /// Deadline of the outstanding reply.
    pub(super) deadline: Option<Instant>,
    pub(super) queue: VecDeque<Queued>,
    /// The position of the current pondering search.
    pondered: Option<String>,
    /// Options set during the handshake. The engine receives those that it declares.
    pub(super) late_options: Vec<SetOption>,
    /// `query moves` was sent to an engine that may not know it, and not answered yet.
    pub(super) is_moves_tried: bool,
    /// The process has the seed of a game as its option `Seed`.
    pub(super) is_seeded: bool,
    /// Time of the next check that the process is alive, and whether it was dead at the last one.
    pub(super) life_check: Option<Instant>,
    pub(super) was_dead: bool,
    /// Deadline for a process with a closed pipe to exit by itself.
    pub(super) exit_deadline: Option<Instant>,
    /// The position of the last queries, until anything else is sent. A search of it needs no second `position`.
    asked: String,
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

    /// Writes the lines of a request, or queues it.
    ///
    /// # Errors
    /// [`Fault::Unasked`] if the engine has already sent a move.
    pub(super) fn ask(
        &mut self,
        request: Request<'_>,
        config: &mut EngineConfig,
        now: Instant,
    ) -> Result<(), Fault> {
        match request {
            Request::NewGame { seed } => {
                self.pondered = None;
                self.facts.is_learning = false;
                self.seed = seed;
                match &mut self.stage {
                    Stage::Starting { is_game_due } => *is_game_due = true,
                    _ => self.new_game(false, config, now),
                }
            }
            Request::SetUp(position) => {
                self.stage = Stage::Preparing { is_fresh: true };
                self.submit(Queued::NewGame(Some(position.to_owned())), now);
            }
            Request::Go {
                position,
                go,
                allowance,
            } => {
                let mut timeout = allowance.unwrap_or(config.timeouts.search);
                if config.searches_program() {
                    timeout += RULES_REPORT;
                }
                if self
                    .pondered
                    .take()
                    .is_some_and(|pondered| pondered == position)
                {
                    return self.ponder_hit(timeout, config, now);
                }
                self.end_pondering(now);
                self.refuse_unasked(config, now)?;
                let line = config.position(position).into_owned();
                self.submit(Queued::Go(line, go, timeout), now);
            }
            Request::Ponder { position, go } if config.spec.ponder => {
                if self.state == State::Idle && self.inbox.is_empty() {
                    self.push_position(&config.position(position));
                    self.push(&Command::Go(Go { ponder: true, ..go }));
                    self.enter(State::Pondering { early: None }, None, now);
                    self.pondered = Some(position.to_owned());
                }
            }
            Request::Query { position, queries } => {
                self.refuse_unasked(config, now)?;
                let line = config.position(position).into_owned();
                self.submit(Queued::Query(line, queries.to_vec()), now);
            }
            Request::Stop => {
                if matches!(self.state, State::Thinking { .. }) {
                    self.push(&Command::Stop);
                }
            }
            Request::GiveUp => {
                self.pondered = None;
                self.queue
                    .retain(|queued| !matches!(queued, Queued::Go(..)));
                match self.state {
                    State::Thinking { .. } => {
                        self.abandon();
                        self.stop_abandoned(now);
                    }
                    State::Pondering { .. } => self.end_pondering(now),
                    _ => {}
                }
            }
            Request::GameOver { position, result } => self.end_game(position, result, config, now),
            Request::Quit => {
                // A final position queued behind a running search is sent first.
                for queued in std::mem::take(&mut self.queue) {
                    if let Queued::GameEnd(position, result) = queued {
                        self.push_game_end(&position, result);
                    }
                }
                self.push(&Command::Quit);
            }
            Request::Start | Request::Ponder { .. } | Request::Forfeit => {}
        }
        Ok(())
    }

    /// Sets an option of a running engine. Returns `false` if it depends on the handshake whether the engine has it.
    pub(super) fn set_option(&mut self, option: &SetOption, now: Instant) -> bool {
        if !self.is_greeted() {
            self.late_options.push(option.clone());
            return false;
        }
        self.pondered = None;
        self.set_options(vec![option.clone()], now);
        true
    }

    /// Handles the messages in the inbox until an event results, then the life of the process.
    ///
    /// # Errors
    /// The engine's fault, including a missed deadline.
    pub(super) fn step(
        &mut self,
        config: &mut EngineConfig,
        life: &mut dyn Life,
        now: Instant,
    ) -> Result<Option<EngineEvent>, Fault> {
        for _ in 0..MAX_MESSAGES {
            let Some(received) = self.inbox.pop_front() else {
                return self.check(life, now).map(|()| None);
            };
            if self.deadline.is_some_and(|deadline| received.at > deadline) {
                // Too late for this request, but possibly in time for the next one.
                self.inbox.push_front(received);
                return Err(self.silence(life));
            }
            let event = self.take(received, config, now)?;
            self.send_next(now);
            if event.is_some() {
                return Ok(event);
            }
        }
        Ok(None)
    }

    /// Latest time of the next step.
    pub(super) fn deadline(&mut self, life: &mut dyn Life, now: Instant) -> Option<Instant> {
        if !self.inbox.is_empty() {
            return Some(now);
        }
        let unsent = (!life.flush()).then(|| now + WRITE_PAUSE);
        let times = [self.deadline, self.life_check, self.exit_deadline, unsent];
        times.into_iter().flatten().min()
    }

    pub(super) fn set_options(&mut self, options: Vec<SetOption>, now: Instant) {
        self.end_pondering(now);
        self.submit(Queued::Options(options), now);
    }

    /// The expected reply was played: the engine now uses its own time.
    fn ponder_hit(
        &mut self,
        timeout: Duration,
        config: &mut EngineConfig,
        now: Instant,
    ) -> Result<(), Fault> {
        self.refuse_unasked(config, now)?;
        if let State::Pondering { early: Some(line) } = &mut self.state {
            let line = std::mem::take(line);
            self.rest();
            return Err(Fault::Unasked(line));
        }
        let state = State::Thinking {
            asked: now,
            is_fenced: false,
        };
        self.push(&Command::PonderHit);
        self.enter(state, Some(timeout), now);
        Ok(())
    }

    /// Tells an engine that learns the end of a game. A running search is abandoned.
    fn end_game(
        &mut self,
        position: &str,
        result: Option<Outcome>,
        config: &EngineConfig,
        now: Instant,
    ) {
        let declares = |name: &str| {
            let mut declared = self.facts.declared.iter();
            declared.any(|decl| decl.name.eq_ignore_ascii_case(name))
        };
        if declares(LEARN) && (result.is_none() || declares(LEARN_RESULT)) {
            self.pondered = None;
            self.facts.is_learning = config.spec.learning_file().is_some();
            self.forget_game(now);
            let line = config.position(position).into_owned();
            self.submit(Queued::GameEnd(line, result), now);
        }
    }

    /// Handles messages that were received before a request: any `bestmove` among them is a fault.
    fn refuse_unasked(&mut self, config: &mut EngineConfig, now: Instant) -> Result<(), Fault> {
        while let Some(received) = self.inbox.pop_front() {
            self.take(received, config, now)?;
        }
        Ok(())
    }

    /// Sends a request now, or queues it if a reply is outstanding.
    pub(super) fn submit(&mut self, queued: Queued, now: Instant) {
        self.queue.push_back(queued);
        match self.state {
            State::Idle => self.send_next(now),
            _ => self.stop_abandoned(now),
        }
    }

    fn send_next(&mut self, now: Instant) {
        while self.state == State::Idle
            && let Some(queued) = self.queue.pop_front()
        {
            self.send(queued, now);
        }
    }

    fn send(&mut self, queued: Queued, now: Instant) {
        // The engine has accepted this position, and nothing was sent since the queries about it.
        let is_set = self.facts.complaint.is_none()
            && matches!(&queued, Queued::Go(position, ..) if *position == self.asked);
        self.asked.clear();
        let Timeouts { startup, ping, .. } = self.timeouts;
        let (state, timeout) = match queued {
            Queued::Options(options) => {
                for (name, value) in options {
                    self.push(&Command::SetOption { name, value });
                }
                self.push(&Command::IsReady);
                (State::Setting, startup)
            }
            Queued::NewGame(position) => {
                self.facts.complaint = None;
                self.push(&Command::NewGame);
                if let Some(position) = position {
                    self.push_position(&position);
                }
                self.push(&Command::IsReady);
                (State::Preparing, ping)
            }
            Queued::Go(position, go, timeout) => {
                if !is_set {
                    self.push_position(&position);
                }
                // A `bestmove` before the `readyok` of this fence was sent before the `go`.
                let is_fenced = self.dialect == Dialect::Ugi;
                if is_fenced {
                    self.push(&Command::IsReady);
                }
                self.push(&Command::Go(go));
                let asked = now;
                (State::Thinking { asked, is_fenced }, timeout)
            }
            Queued::GameEnd(position, result) => return self.push_game_end(&position, result),
            Queued::Query(position, queries) => {
                self.push_position(&position);
                self.asked = position;
                for query in &queries {
                    self.push(&Command::Query(*query));
                }
                let n_due = queries.len();
                (State::Answering { n_due }, ping)
            }
        };
        self.enter(state, Some(timeout), now);
    }

    fn push_position(&mut self, position: &str) {
        self.facts.complaint = None;
        self.asked.clear();
        self.lines.push_str(position);
        self.lines.push('\n');
    }

    fn push_game_end(&mut self, position: &str, result: Option<Outcome>) {
        self.push_position(position);
        if let Some(outcome) = result {
            self.push(&Command::SetOption {
                name: LEARN_RESULT.to_owned(),
                value: Some(Outcome::result_word(Some(outcome)).to_owned()),
            });
        }
    }

    pub(super) fn push(&mut self, command: &Command) {
        writeln!(self.lines, "{}", command.display(self.dialect)).expect("a string takes all");
    }

    /// Waits for the replies of a new state, with an optional timeout.
    pub(super) fn enter(&mut self, state: State, timeout: Option<Duration>, now: Instant) {
        self.state = state;
        self.deadline = timeout.map(|timeout| now + timeout);
        self.life_check = timeout.map(|_| now + LIFE_CHECK);
        self.was_dead = false;
    }

    /// Becomes idle: no reply is outstanding.
    pub(super) fn rest(&mut self) {
        self.state = State::Idle;
        self.deadline = None;
        self.life_check = None;
    }

    /// Abandons the search without sending `stop`.
    pub(super) fn abandon(&mut self) {
        self.rest();
        self.state = State::Abandoned { is_stopped: false };
    }

    /// Ends pondering and ignores its result. If the engine has already sent a `bestmove`, that was the result.
    fn end_pondering(&mut self, now: Instant) {
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
    fn stop_abandoned(&mut self, now: Instant) {
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

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
