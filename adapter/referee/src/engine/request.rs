//! Requests to an engine, and how each is sent.

use std::time::{Duration, Instant};

use kit::Outcome;
use kit::session::{LEARN, LEARN_RESULT};
use protocol::{Command, Dialect, Go, Query};
use record::engine_spec::SetOption;

use super::config::{EngineConfig, Timeouts};
use super::dialogue::{Dialogue, Queued, Stage, State};
use super::fault::Fault;

/// Time in which a built-in engine reports that its process of a rules program does not answer: five seconds, and as much
/// for a busy machine.
const RULES_REPORT: Duration = Duration::from_secs(10);

/// A request to an engine. A position is a whole `position` line without its line break.
#[derive(Debug, Clone)]
pub enum Request<'a> {
    /// Start its process, shake hands, and set its options; [`EngineEvent::Started`](super::EngineEvent::Started) follows, and
    /// other events after other requests.
    Start,
    /// Prepare for a new game; `Ready` follows. A process that is not running is started. With a seed, an
    /// engine that plays below full strength first gets a value of its option `Seed` that depends on it, unless the user has
    /// set that option: the game can be repeated.
    NewGame {
        /// The seed.
        seed: Option<u64>,
    },
    /// Set up a game from a position in the program behind a bridge; `Ready` follows.
    SetUp(&'a str),
    /// Search a position; `Moved` follows. If the engine ponders on the position, it has guessed right.
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

impl Dialogue {
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
                let line = understood(config, position);
                self.submit(Queued::Go(line, go, timeout), now);
            }
            Request::Ponder { position, go } if config.spec.ponder => {
                if self.state == State::Idle && self.inbox.is_empty() {
                    self.push_position(&understood(config, position));
                    self.push(&Command::Go(Go { ponder: true, ..go }));
                    self.enter(State::Pondering { early: None }, None, now);
                    self.pondered = Some(position.to_owned());
                }
            }
            Request::Query { position, queries } => {
                self.refuse_unasked(config, now)?;
                let line = understood(config, position);
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
            let line = understood(config, position);
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

    pub(super) fn send_next(&mut self, now: Instant) {
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
}

/// A `position` line as this engine understands it: `startpos` may be another position to it.
fn understood(config: &EngineConfig, line: &str) -> String {
    let moves = line.strip_prefix("position startpos");
    match config.start.as_ref().zip(moves) {
        Some((start, moves)) => format!("position fen {start}{moves}"),
        None => line.to_owned(),
    }
}
