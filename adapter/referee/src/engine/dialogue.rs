//! The dialogue with one engine: the referee's side of the protocol, as a state machine without input or output.
//!
//! The state is the reply that is awaited; a request made while another reply is outstanding is queued. What has arrived is
//! handled in `hear`, and what happens before the first move is in `setup`. [`Watch`] alone decides when a process counts
//! as dead or late.

use std::collections::VecDeque;
use std::fmt::Write;
use std::time::{Duration, Instant};

use kit::Outcome;
use kit::session::{LEARN, LEARN_RESULT};
use protocol::{Command, Dialect, Go, OptionDecl, Query};
use record::engine_spec::SetOption;

use super::config::{EngineConfig, Timeouts};
use super::fault::{Complaint, Fault};
use super::hear::{Message, Received};
use crate::process::{Death, Process};

/// Maximum number of options that an engine may declare; later ones are ignored.
pub(crate) const MAX_OPTIONS: usize = 1000;

/// Interval for retrying a write to a full pipe.
const WRITE_PAUSE: Duration = Duration::from_millis(1);

/// Time that a process with a closed pipe has to exit, so that its exit status can be reported.
pub(super) const EXIT_TIMEOUT: Duration = Duration::from_millis(50);

/// Interval for checking that a process with an outstanding reply is alive. If it dies while one of its children holds
/// the pipe open, the pipe does not close.
pub(super) const LIFE_CHECK: Duration = Duration::from_millis(50);

/// Time in which a built-in engine reports that its process of a rules program does not answer: five seconds, and as much
/// for a busy machine.
const RULES_REPORT: Duration = Duration::from_secs(10);

/// A search of a position.
#[derive(Debug, Clone)]
pub struct Search<'a> {
    /// The `position` line without its line break.
    pub position: &'a str,
    /// The limits.
    pub go: Go,
    /// The time that the clock permits. Without one, the search timeout applies.
    pub allowance: Option<Duration>,
}

/// A request to an engine. A position is a whole `position` line without its line break.
#[derive(Debug, Clone)]
pub enum Request<'a> {
    /// Start its process, shake hands, and set its options; [`EngineEvent::Started`](super::EngineEvent::Started) follows,
    /// and other events after other requests.
    Start,
    /// Prepare for a new game; `Ready` follows. A process that is not running is started. With a seed, an engine that plays
    /// below full strength first gets a value of its option `Seed` that depends on it, unless the user has set that option:
    /// the game can be repeated.
    NewGame {
        /// The seed.
        seed: Option<u64>,
    },
    /// Set up a game from a position in the program behind a bridge; `Ready` follows.
    SetUp(&'a str),
    /// Search a position; `Moved` follows. If the engine ponders on the position, it has guessed right.
    Go(Search<'a>),
    /// Ponder on the expected position, if pondering is enabled for this engine and it is idle.
    Ponder {
        /// The position.
        position: &'a str,
        /// The limits.
        go: Go,
    },
    /// Answer queries about a position; `Response` follows for each.
    Query {
        /// The position.
        position: &'a str,
        /// The queries.
        queries: &'a [Query],
    },
    /// Move now, when searching; `Moved` follows.
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
    /// that had no response in the first.
    Probing {
        left: VecDeque<Query>,
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

/// A request that waits until no other reply is outstanding.
#[derive(Debug)]
pub(super) struct Queued {
    /// The lines to be sent.
    text: String,
    /// Length of the `position` line at their beginning; 0 if there is none.
    n_position: usize,
    /// The replies that are awaited then; none for [`State::Idle`].
    state: State,
    /// The time for them.
    timeout: Duration,
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
    /// The known facts about the engine.
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
        write_line(&mut self.lines, command, self.dialect);
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
                let (position, ping) = (understood(config, position), self.timeouts.ping);
                self.submit("", [Command::NewGame], State::Idle, ping, now);
                self.submit(position, [Command::IsReady], State::Preparing, ping, now);
            }
            Request::Go(search) => {
                let mut timeout = search.allowance.unwrap_or(config.timeouts.search);
                if config.searches_program() {
                    timeout += RULES_REPORT;
                }
                if self.pondered.take().as_deref() == Some(search.position) {
                    return self.ponder_hit(timeout, config, now);
                }
                self.end_pondering(now);
                self.refuse_unasked(config, now)?;
                // A `bestmove` before the `readyok` of this fence was sent before the `go`.
                let is_fenced = config.is_fenced();
                let fence = is_fenced.then_some(Command::IsReady);
                let commands = fence.into_iter().chain([Command::Go(search.go)]);
                let asked = now;
                let state = State::Thinking { asked, is_fenced };
                let position = understood(config, search.position);
                self.submit(position, commands, state, timeout, now);
            }
            Request::Ponder { position, go } if config.spec.ponder => {
                if self.state == State::Idle && self.inbox.is_empty() {
                    self.facts.complaint = None;
                    self.asked.clear();
                    self.lines.push_str(&understood(config, position));
                    self.push(&Command::Go(Go { ponder: true, ..go }));
                    self.enter(State::Pondering { early: None }, None, now);
                    self.pondered = Some(position.to_owned());
                }
            }
            Request::Query { position, queries } => {
                self.refuse_unasked(config, now)?;
                let n_due = queries.len();
                let queries = queries.iter().copied().map(Command::Query);
                let (position, ping) = (understood(config, position), self.timeouts.ping);
                self.submit(position, queries, State::Answering { n_due }, ping, now);
            }
            Request::Stop => {
                if matches!(self.state, State::Thinking { .. }) {
                    self.push(&Command::Stop);
                }
            }
            Request::GiveUp => {
                self.pondered = None;
                let is_search = |queued: &Queued| matches!(queued.state, State::Thinking { .. });
                self.queue.retain(|queued| !is_search(queued));
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
                let mut queued = std::mem::take(&mut self.queue);
                queued.retain(|queued| queued.state == State::Idle);
                queued.into_iter().for_each(|queued| self.send(queued, now));
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

    pub(super) fn set_options(&mut self, options: Vec<SetOption>, now: Instant) {
        self.end_pondering(now);
        let options = options
            .into_iter()
            .map(|(name, value)| Command::SetOption { name, value });
        let commands = options.chain([Command::IsReady]);
        self.submit("", commands, State::Setting, self.timeouts.startup, now);
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
            let result = result.map(|outcome| Command::SetOption {
                name: LEARN_RESULT.to_owned(),
                value: Some(Outcome::result_word(Some(outcome)).to_owned()),
            });
            let (position, ping) = (understood(config, position), self.timeouts.ping);
            self.submit(position, result, State::Idle, ping, now);
        }
    }

    /// Handles messages that were received before a request: any `bestmove` among them is a fault.
    fn refuse_unasked(&mut self, config: &mut EngineConfig, now: Instant) -> Result<(), Fault> {
        while let Some(received) = self.inbox.pop_front() {
            self.take(received, config, now)?;
        }
        Ok(())
    }

    /// Sends a `position` line, which may be empty, and commands, or queues them if a reply is outstanding.
    pub(super) fn submit(
        &mut self,
        position: impl Into<String>,
        commands: impl IntoIterator<Item = Command>,
        state: State,
        timeout: Duration,
        now: Instant,
    ) {
        let mut text = position.into();
        let n_position = text.len();
        for command in commands {
            write_line(&mut text, &command, self.dialect);
        }
        self.queue.push_back(Queued {
            text,
            n_position,
            state,
            timeout,
        });
        match self.state {
            State::Idle => self.send_next(now),
            _ => self.stop_abandoned(now),
        }
    }

    pub(super) fn send_next(&mut self, now: Instant) {
        while self.state == State::Idle
            && let Some(queued) = self.queue.pop_front()
        {
            self.send(queued, now);
        }
    }

    fn send(&mut self, queued: Queued, now: Instant) {
        let Queued {
            mut text,
            n_position,
            mut state,
            timeout,
        } = queued;
        let (position, commands) = text.split_at(n_position);
        let is_search = matches!(state, State::Thinking { .. });
        // The engine has accepted this position, and nothing was sent since the queries about it.
        if is_search && self.facts.complaint.is_none() && position == self.asked {
            self.lines.push_str(commands);
        } else {
            if n_position > 0 || state == State::Preparing {
                self.facts.complaint = None;
            }
            self.lines.push_str(&text);
        }
        self.asked.clear();
        match &mut state {
            State::Idle => return,
            State::Thinking { asked, .. } => *asked = now,
            State::Answering { .. } => {
                text.truncate(n_position);
                self.asked = text;
            }
            _ => {}
        }
        self.enter(state, Some(timeout), now);
    }
}

/// A `position` line, with its line break, as this engine understands it: `startpos` may be another position to it.
fn understood(config: &EngineConfig, line: &str) -> String {
    let moves = line.strip_prefix("position startpos");
    match config.start.as_ref().zip(moves) {
        Some((start, moves)) => format!("position fen {start}{moves}\n"),
        None => format!("{line}\n"),
    }
}

fn write_line(lines: &mut String, command: &Command, dialect: Dialect) {
    writeln!(lines, "{}", command.display(dialect)).expect("a string takes all");
}

/// The state of a process, apart from its lines.
pub(super) trait Life {
    /// The pipe that it has closed, once everything was read.
    fn closed(&self) -> Option<Death>;
    /// Its death, if it has exited.
    fn exited(&self) -> Option<Death>;
    /// Sends what it has not read. Returns `true` if nothing is left.
    fn flush(&mut self) -> bool;
    /// The last line that it wrote.
    fn last_heard(&self) -> Option<String>;
}

impl Life for Process {
    fn closed(&self) -> Option<Death> {
        if self.is_output_closed() {
            return Some(Death::ClosedOutput);
        }
        self.is_input_closed().then_some(Death::ClosedInput)
    }

    fn exited(&self) -> Option<Death> {
        self.exited()
    }

    fn flush(&mut self) -> bool {
        self.flush()
    }

    fn last_heard(&self) -> Option<String> {
        self.last_heard()
    }
}

/// The wait for one reply: its deadline, and the checks that the process is alive.
#[derive(Debug, Default)]
pub(super) struct Watch {
    deadline: Option<Instant>,
    /// Time of the next check that the process is alive; `None` while no reply is due.
    next_check: Option<Instant>,
    /// It was dead at the last check.
    was_dead: bool,
    /// Deadline for a process with a closed pipe to exit by itself.
    exit_deadline: Option<Instant>,
}

impl Watch {
    /// Starts to wait for a reply until the deadline; `None` ends the wait.
    pub(super) fn set(&mut self, deadline: Option<Instant>, now: Instant) {
        self.deadline = deadline;
        self.next_check = deadline.map(|_| now + LIFE_CHECK);
        self.was_dead = false;
    }

    /// Ends the wait.
    pub(super) fn end(&mut self) {
        (self.deadline, self.next_check) = (None, None);
    }

    /// `true` for something that arrived after the deadline.
    pub(super) fn is_late(&self, at: Instant) -> bool {
        self.deadline.is_some_and(|deadline| at > deadline)
    }

    /// Latest time of the next [`check`](Watch::check).
    pub(super) fn due(&self) -> Option<Instant> {
        let times = [self.deadline, self.next_check, self.exit_deadline];
        times.into_iter().flatten().min()
    }

    /// Checks a process whose output was read, and which has `closed` this pipe. `due` is the reply that is awaited.
    ///
    /// # Errors
    /// The process has exited or closed a pipe, or the deadline has passed.
    pub(super) fn check(
        &mut self,
        life: &mut dyn Life,
        closed: Option<Death>,
        due: Option<&'static str>,
        now: Instant,
    ) -> Result<(), Fault> {
        if let Some(closed) = closed {
            // The exit status of a process that is about to exit is more informative.
            let last = *self.exit_deadline.get_or_insert(now + EXIT_TIMEOUT);
            let death = life.exited().or((now >= last).then_some(closed));
            return death.map_or(Ok(()), |death| Err(Fault::died(death, due)));
        }
        life.flush();
        if self.next_check.is_some_and(|check| now >= check) {
            self.next_check = Some(now + LIFE_CHECK);
            let death = life.exited();
            // A process that was already dead at the previous check cannot have written anything since.
            let had_time = std::mem::replace(&mut self.was_dead, death.is_some());
            if let Some(death) = death.filter(|_| had_time) {
                return Err(Fault::died(death, due));
            }
        }
        match self.deadline {
            Some(deadline) if now >= deadline => Err(Fault::Silent(due.unwrap_or("answer"))),
            _ => Ok(()),
        }
    }
}
