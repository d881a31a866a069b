//! The commands to an engine: the referee's side of the protocol, as a state machine without input or output.
//!
//! The state is the reply that is awaited, which has a time; a request made while another reply is outstanding is queued.
//! [`Watch`] alone decides when a process counts as dead or late.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use kit::Outcome;
use kit::session::{LEARN, LEARN_RESULT};
use protocol::{Command, Dialect, Go, OptionDecl, Query};

use super::config::Timeouts;
use super::fault::{Complaint, Fault};
use super::hear::EngineEvent;
use super::{Engine, SetOption};
use crate::process::{Death, Life};

/// Maximum number of options that an engine may declare; later ones are ignored.
pub(crate) const MAX_OPTIONS: usize = 1000;

/// Interval for retrying a write to a full pipe.
pub(super) const WRITE_PAUSE: Duration = Duration::from_millis(1);

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
    /// Answer queries about a position; `Responses` follows.
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    /// None.
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
    Thinking {
        asked: Instant,
        allowance: Duration,
        is_fenced: bool,
    },
    /// None while the engine ponders. `early` is a `bestmove` that it sent nevertheless.
    Pondering { early: Option<String> },
    /// The `bestmove` of an abandoned search, which is ignored. It has a deadline once `stop` was sent.
    Abandoned { is_stopped: bool },
    /// `n_due` further `response` lines, after these.
    Answering { texts: String, n_due: usize },
}

/// Progress of starting an engine and its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Handshake, options, queries. If `is_game_due`, a new game follows.
    Starting { is_game_due: bool },
    /// A new game was announced. `is_fresh` if the process was started for it.
    Preparing { is_fresh: bool },
    /// Ready for requests.
    Running,
}

/// A request that waits until no other reply is outstanding.
#[derive(Debug)]
pub(super) struct Queued {
    /// The `position` line, or nothing.
    position: String,
    /// The commands after it, in the same write.
    commands: Vec<Command>,
    /// The replies that are awaited then.
    state: State,
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

impl Engine {
    /// Begins the dialogue with a process that was just started. Only the configuration and the seed stay.
    pub(super) fn begin(&mut self, stage: Stage) {
        let (now, seed) = (self.now, self.seed);
        let config = std::mem::take(&mut self.config);
        *self = Engine {
            now,
            seed,
            stage,
            ..Engine::new(config)
        };
        self.push(&Command::Handshake(self.dialect()));
        self.enter(State::Handshake);
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.config.spec.proto.into()
    }

    /// `true` once the handshake is over.
    pub(super) fn is_greeted(&self) -> bool {
        self.state != State::Handshake
    }

    pub(super) fn is_pondering(&self) -> bool {
        matches!(self.state, State::Pondering { .. })
    }

    /// `true` if no reply is awaited.
    fn is_idle(&self) -> bool {
        matches!(self.state, State::Idle)
    }

    /// `true` while the engine starts and no game waits for it.
    pub(super) fn is_idle_start(&self) -> bool {
        self.stage == (Stage::Starting { is_game_due: false })
    }

    pub(super) fn push(&mut self, command: &Command) {
        let dialect = self.dialect();
        command.append(&mut self.lines, dialect);
    }

    /// Waits for the replies of a new state, as long as they may take.
    pub(super) fn enter(&mut self, state: State) {
        let Timeouts { startup, ping, .. } = self.config.timeouts;
        let timeout = match state {
            State::Idle | State::Pondering { .. } => None,
            State::Abandoned { is_stopped: false } => None,
            State::Handshake | State::Setting => Some(startup),
            State::Thinking { allowance, .. } => Some(allowance),
            _ => Some(ping),
        };
        self.state = state;
        let deadline = timeout.map(|timeout| self.now + timeout);
        self.watch.set(deadline, self.now);
    }

    /// The expected reply, for error messages.
    pub(super) fn due(&self) -> Option<&'static str> {
        Some(match self.state {
            State::Idle | State::Pondering { .. } => return None,
            State::Handshake => self.dialect().handshake_ok(),
            State::Setting | State::Preparing | State::Probing { .. } => "readyok",
            State::Thinking { .. } | State::Abandoned { .. } => "bestmove",
            State::Answering { .. } => "response",
        })
    }

    /// Ends a search or pondering, and ignores its result. A `bestmove` that came while pondering was the result.
    fn give_up(&mut self) {
        match self.state {
            State::Pondering { early: Some(_) } => self.enter(State::Idle),
            State::Pondering { .. } | State::Thinking { .. } => {
                self.state = State::Abandoned { is_stopped: false };
                self.stop_abandoned();
            }
            _ => {}
        }
    }

    /// Sends `stop` for an abandoned search.
    fn stop_abandoned(&mut self) {
        if matches!(self.state, State::Abandoned { is_stopped: false }) {
            self.enter(State::Abandoned { is_stopped: true });
            self.push(&Command::Stop);
        }
    }

    /// Discards messages that belong to a game that is over: they cause no fault and need not be waited for.
    pub(super) fn forget_game(&mut self) {
        match self.state {
            State::Handshake | State::Setting | State::Preparing | State::Probing { .. } => return,
            _ => {}
        }
        self.events.clear();
        if matches!(self.state, State::Answering { .. }) {
            self.enter(State::Idle);
        }
        self.give_up();
        self.stop_abandoned();
    }

    /// Writes the lines of a request, or queues it.
    ///
    /// # Errors
    /// [`Fault::Unasked`] if the engine has already sent a move.
    pub(super) fn tell(&mut self, request: Request<'_>) -> Result<(), Fault> {
        match request {
            Request::NewGame { seed } => {
                self.pondered = None;
                self.facts.is_learning = false;
                self.seed = seed;
                match &mut self.stage {
                    Stage::Starting { is_game_due } => *is_game_due = true,
                    _ => self.new_game(false),
                }
            }
            Request::SetUp(position) => {
                self.stage = Stage::Preparing { is_fresh: true };
                self.submit("", [Command::NewGame], State::Idle);
                self.submit(position, [Command::IsReady], State::Preparing);
            }
            Request::Go(search) => return self.go(search),
            Request::Ponder { position, go } => {
                let is_idle = self.is_idle() && self.events.is_empty();
                if is_idle && self.config.spec.ponder {
                    let go = Command::Go(Go { ponder: true, ..go });
                    self.submit(position, [go], State::Pondering { early: None });
                    self.pondered = Some(position.to_owned());
                }
            }
            Request::Query { position, queries } => {
                self.refuse_unasked()?;
                // Most responses fit without a reallocation.
                let (texts, n_due) = (String::with_capacity(256), queries.len());
                let queries = queries.iter().copied().map(Command::Query);
                self.submit(position, queries, State::Answering { texts, n_due });
            }
            Request::Stop if matches!(self.state, State::Thinking { .. }) => {
                self.push(&Command::Stop)
            }
            Request::GiveUp => {
                self.pondered = None;
                self.events.retain(|heard| {
                    !matches!(heard, Ok(EngineEvent::Moved(_) | EngineEvent::Info(_)))
                });
                let is_search = |queued: &Queued| matches!(queued.state, State::Thinking { .. });
                self.queue.retain(|queued| !is_search(queued));
                self.give_up();
            }
            Request::GameOver { position, result } => self.end_game(position, result),
            Request::Quit => {
                // A final position queued behind a running search is sent first.
                let queued = std::mem::take(&mut self.queue).into_iter();
                let final_positions = queued.filter(|queued| queued.state == State::Idle);
                for queued in final_positions {
                    self.send(&queued.position, queued.commands, queued.state);
                }
                self.push(&Command::Quit);
            }
            Request::Start | Request::Stop | Request::Forfeit => {}
        }
        Ok(())
    }

    /// Searches, or continues to search a position on which the engine ponders: it now uses its own time.
    fn go(&mut self, search: Search<'_>) -> Result<(), Fault> {
        let mut allowance = search.allowance.unwrap_or(self.config.timeouts.search);
        if self.config.searches_program() {
            allowance += RULES_REPORT;
        }
        let is_expected = self.pondered.take().as_deref() == Some(search.position);
        if !is_expected && self.is_pondering() {
            self.give_up();
        }
        self.refuse_unasked()?;
        // A `bestmove` before the `readyok` of this fence was sent before the `go`.
        let is_fenced = !is_expected && self.config.is_fenced();
        let thinking = State::Thinking {
            asked: self.now,
            allowance,
            is_fenced,
        };
        if !is_expected {
            let fence = is_fenced.then_some(Command::IsReady);
            let commands = fence.into_iter().chain([Command::Go(search.go)]);
            self.submit(search.position, commands, thinking);
            return Ok(());
        }
        if let State::Pondering { early: Some(line) } = &mut self.state {
            let line = std::mem::take(line);
            self.enter(State::Idle);
            return Err(Fault::Unasked(line));
        }
        self.push(&Command::PonderHit);
        self.enter(thinking);
        Ok(())
    }

    /// Sets an option of a running engine. It depends on the handshake whether the engine has it.
    pub(super) fn send_option(&mut self, option: SetOption) {
        if !self.is_greeted() {
            return self.late_options.push(option);
        }
        self.pondered = None;
        self.set_options(vec![option.clone()]);
        self.keep_option(option);
    }

    pub(super) fn set_options(&mut self, options: Vec<SetOption>) {
        if self.is_pondering() {
            self.give_up();
        }
        let options = options.into_iter();
        let options = options.map(|(name, value)| Command::SetOption { name, value });
        self.submit("", options.chain([Command::IsReady]), State::Setting);
    }

    /// Tells an engine that learns the end of a game. A running search is abandoned.
    fn end_game(&mut self, position: &str, result: Option<Outcome>) {
        let declares = |name: &str| {
            let mut declared = self.facts.declared.iter();
            declared.any(|decl| decl.name.eq_ignore_ascii_case(name))
        };
        if declares(LEARN) && (result.is_none() || declares(LEARN_RESULT)) {
            self.pondered = None;
            self.facts.is_learning = self.config.spec.learning_file().is_some();
            self.forget_game();
            let result = result.map(|outcome| Command::SetOption {
                name: LEARN_RESULT.to_owned(),
                value: Some(Outcome::result_word(Some(outcome)).to_owned()),
            });
            self.submit(position, result, State::Idle);
        }
    }

    /// Forgets the events before a request. Any fault among them, such as a `bestmove`, is one of the request.
    fn refuse_unasked(&mut self) -> Result<(), Fault> {
        while let Some(heard) = self.events.pop_front() {
            heard?;
        }
        Ok(())
    }

    /// Sends a `position` line, which may be empty, and commands, or queues them if a reply is outstanding.
    pub(super) fn submit(
        &mut self,
        position: &str,
        commands: impl IntoIterator<Item = Command>,
        state: State,
    ) {
        if self.is_idle() && self.queue.is_empty() {
            return self.send(position, commands, state);
        }
        self.queue.push_back(Queued {
            position: position.to_owned(),
            commands: commands.into_iter().collect(),
            state,
        });
        self.send_next();
        self.stop_abandoned();
    }

    pub(super) fn send_next(&mut self) {
        while self.is_idle()
            && let Some(queued) = self.queue.pop_front()
        {
            self.send(&queued.position, queued.commands, queued.state);
        }
    }

    /// `startpos` may be another position to this engine.
    fn send(&mut self, position: &str, commands: impl IntoIterator<Item = Command>, state: State) {
        let is_search = matches!(state, State::Thinking { .. });
        // The engine has accepted this position, and nothing was sent since the queries about it.
        if !is_search || self.facts.complaint.is_some() || position != self.asked {
            if !position.is_empty() || matches!(state, State::Preparing) {
                self.facts.complaint = None;
            }
            let moves = position.strip_prefix("position startpos");
            match self.config.start.as_ref().zip(moves) {
                Some((start, moves)) => self.lines += &format!("position fen {start}{moves}"),
                None => self.lines += position,
            }
            self.lines += if position.is_empty() { "" } else { "\n" };
        }
        for command in commands {
            self.push(&command);
        }
        self.asked.clear();
        match state {
            State::Idle => return,
            State::Answering { .. } => self.asked.push_str(position),
            _ => {}
        }
        self.enter(state);
        if let State::Thinking { asked, .. } = &mut self.state {
            *asked = self.now;
        }
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
