//! A program that knows the rules of a game: its processes, and what they answer about positions.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use kit::Rejection;
use parking_lot::Mutex;
use protocol::Query;

use super::answers::{Exchange, Facts, PositionState};
use super::introduction::Introduction;
use super::process::{Due, RulesProcess, Settings};
use crate::engine::{RULES_FAILURE, Timeouts};
use crate::process::Launch;

/// Number of positions whose states are kept. All are forgotten when there are so many.
const MAX_POSITIONS: usize = 1 << 15;

/// The reason for not getting an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The program rejects the position. Holds its reason.
    Rejected(String),
    /// The program has failed. Holds the failure, which names it.
    Fault(String),
}

impl From<Trouble> for Rejection {
    fn from(trouble: Trouble) -> Rejection {
        match trouble {
            Trouble::Rejected(why) | Trouble::Fault(why) => Rejection(why),
        }
    }
}

/// A program that knows the rules of a game, with its processes up to the first failure. They are started when they are
/// needed.
#[derive(Debug)]
pub(super) struct RulesProgram {
    pub(super) launch: Launch,
    /// Board options whose defaults differ from the program's.
    pub(super) defaults: Vec<(String, Option<String>)>,
    pub(super) timeouts: Timeouts,
    /// The result of the first start.
    introduction: OnceLock<Result<Introduction, String>>,
    /// Processes that are not in use. Games that are played at the same time use several.
    idle: Mutex<Vec<RulesProcess>>,
    /// The states of recent positions by their keys.
    positions: Mutex<HashMap<u128, Arc<PositionState>>>,
    /// The first failure, and its time.
    pub(super) fault: OnceLock<(String, Instant)>,
}

impl RulesProgram {
    pub(super) fn new(
        launch: Launch,
        defaults: &[(String, Option<String>)],
        timeouts: Timeouts,
    ) -> RulesProgram {
        RulesProgram {
            launch,
            defaults: defaults.to_vec(),
            timeouts,
            introduction: OnceLock::new(),
            idle: Mutex::new(Vec::new()),
            positions: Mutex::default(),
            fault: OnceLock::new(),
        }
    }

    /// The program's introduction. Starts it, at the first call.
    pub(super) fn introduction(&self) -> Result<&Introduction, Rejection> {
        let introduce = || {
            let mut process = RulesProcess::start(&self.launch, self.timeouts)?;
            let mut introduction = Introduction::of(&mut process)?;
            introduction.set_defaults(&self.defaults)?;
            self.idle.lock().push(process);
            Ok(introduction)
        };
        let introduction = self.introduction.get_or_init(|| {
            introduce().map_err(|why: String| {
                self.fail(&why);
                format!("{}: {why}", self.launch.name)
            })
        });
        introduction.as_ref().map_err(|why| Rejection(why.clone()))
    }

    /// `true` if the program answers a query.
    pub(super) fn answers(&self, query: Query) -> bool {
        let introduction = self.introduction();
        introduction.is_ok_and(|introduction| introduction.queries.contains(&query))
    }

    /// Takes an idle process whose answers are all read, or a new one.
    fn process(&self) -> Result<RulesProcess, Trouble> {
        let introduction = self.introduction();
        if let Some(fault) = self.failure() {
            return Err(Trouble::Fault(fault.to_owned()));
        }
        introduction.map_err(|Rejection(why)| Trouble::Fault(why))?;
        let idle = self.take_idle(|due| due.is_none());
        let idle = idle.or_else(|| self.take_idle(|_| true));
        let start = || RulesProcess::start(&self.launch, self.timeouts);
        let process = idle.map_or_else(start, Ok);
        let mut process = process.map_err(|why| self.fail(&why))?;
        self.settle(&mut process)?;
        Ok(process)
    }

    fn take_idle(&self, is_wanted: impl Fn(Option<&Due>) -> bool) -> Option<RulesProcess> {
        let mut idle = self.idle.lock();
        let at = idle
            .iter()
            .rposition(|process| is_wanted(process.due.as_ref()))?;
        Some(idle.swap_remove(at))
    }

    /// Reads the answers of a process that were left for later.
    fn settle(&self, process: &mut RulesProcess) -> Result<(), Trouble> {
        let Some(mut due) = process.due.take() else {
            return Ok(());
        };
        let mut unused = Exchange::default();
        let exchange = match &mut due {
            Due::Moves { exchange, .. } => exchange,
            Due::Ahead(_) => &mut unused,
        };
        let read = process.read_answers(exchange, usize::MAX);
        read.map_err(|why| self.fail(&why))?;
        if let Due::Moves {
            state,
            line,
            exchange,
        } = &due
        {
            let read = PositionState::read(exchange);
            let read = read.map_err(|why| self.fail(&format!("{line}: {why}")))?;
            let moves = read.moves.into_inner().unwrap_or_default();
            let _ = state.moves.set(moves);
        }
        Ok(())
    }

    /// The legal moves of a position, separated by blanks; empty after a failure. Blocks until they are read.
    pub(super) fn moves<'a>(&self, state: &'a Arc<PositionState>) -> &'a str {
        if state.moves.get().is_none() {
            let is_it = |due: Option<&Due>| matches!(due, Some(Due::Moves { state: known, .. }) if Arc::ptr_eq(known, state));
            if let Some(mut process) = self.take_idle(is_it)
                && self.settle(&mut process).is_ok()
            {
                self.idle.lock().push(process);
            }
        }
        // Another thread may have taken the process, and reads them.
        state.moves.wait()
    }

    /// Asks about a position without waiting for the answers, if a process is idle.
    pub(super) fn ask_ahead(&self, settings: &Settings, key: u128, line: &str) {
        if !self.positions.lock().contains_key(&key)
            && let Some(mut process) = self.take_idle(|due| due.is_none())
        {
            process.ask(settings, &PositionState::questions(line));
            process.due = Some(Due::Ahead(key));
            self.idle.lock().push(process);
        }
    }

    /// Sends the lines to an idle process, or to a new one, after the options that it does not have yet.
    fn exchange(&self, settings: &Settings, lines: &str) -> Result<Exchange, Trouble> {
        let mut process = self.process()?;
        let exchange = process.exchange(settings, lines);
        let exchange = exchange.map_err(|why| self.fail(&why))?;
        self.idle.lock().push(process);
        Ok(exchange)
    }

    /// Stores a failure of the program, and ends its idle processes.
    pub(super) fn fail(&self, why: &str) -> Trouble {
        let name = &self.launch.name;
        let fault = || (format!("{RULES_FAILURE}{name}: {why}"), Instant::now());
        let (why, _) = self.fault.get_or_init(fault);
        let idle = std::mem::take(&mut *self.idle.lock());
        drop(idle);
        Trouble::Fault(why.clone())
    }

    /// The first failure.
    pub(super) fn failure(&self) -> Option<&str> {
        self.fault.get().map(|(why, _)| why.as_str())
    }

    /// The state of a position, from memory if it was asked for before. `key` identifies the options and the line.
    pub(super) fn state(
        &self,
        settings: &Settings,
        key: u128,
        line: &str,
    ) -> Result<Arc<PositionState>, Trouble> {
        if let Some(state) = self.positions.lock().get(&key) {
            return Ok(Arc::clone(state));
        }
        let state = self.early_state(settings, key, line)?;
        if state.outcome.is_some() && self.ask_state(settings, line)? != *state {
            return Err(self.fail(&format!(
                "two answers for {}",
                protocol::text::excerpt(line)
            )));
        }
        let mut positions = self.positions.lock();
        if positions.len() >= MAX_POSITIONS {
            positions.clear();
        }
        positions.insert(key, Arc::clone(&state));
        Ok(state)
    }

    /// Asks for the state of a position, unless that was done ahead, and reads what a game needs before the next move is
    /// requested. The legal moves are read later.
    fn early_state(
        &self,
        settings: &Settings,
        key: u128,
        line: &str,
    ) -> Result<Arc<PositionState>, Trouble> {
        let asked = self.take_idle(|due| matches!(due, Some(Due::Ahead(asked)) if *asked == key));
        let mut process = match asked {
            Some(mut process) => {
                process.due = None;
                process
            }
            None => {
                let mut process = self.process()?;
                process.ask(settings, &PositionState::questions(line));
                process
            }
        };
        let mut exchange = Exchange::default();
        let n_early = PositionState::QUERIES.len() - 1;
        let read = process.read_answers(&mut exchange, n_early);
        read.map_err(|why| self.fail(&why))?;
        let state = PositionState::read_early(&exchange);
        let state = match state.map(Arc::new) {
            Some(state) => {
                let (state_due, line) = (Arc::clone(&state), line.to_owned());
                process.due = Some(Due::Moves {
                    state: state_due,
                    line,
                    exchange,
                });
                state
            }
            None => {
                if exchange.responses.len() == n_early && exchange.error.is_none() {
                    let read = process.read_answers(&mut exchange, usize::MAX);
                    read.map_err(|why| self.fail(&why))?;
                }
                Arc::new(self.checked(exchange, line)?)
            }
        };
        self.idle.lock().push(process);
        Ok(state)
    }

    pub(super) fn ask_state(
        &self,
        settings: &Settings,
        line: &str,
    ) -> Result<PositionState, Trouble> {
        let exchange = self.exchange(settings, &PositionState::questions(line))?;
        self.checked(exchange, line)
    }

    /// The state by all answers to its questions.
    fn checked(&self, exchange: Exchange, line: &str) -> Result<PositionState, Trouble> {
        match exchange.error {
            Some(why) if exchange.responses.len() == PositionState::QUERIES.len() => {
                Err(Trouble::Rejected(why))
            }
            _ => PositionState::read(&exchange).map_err(|why| self.fail(&format!("{line}: {why}"))),
        }
    }

    /// The answers to the queries of a position that was accepted before.
    pub(super) fn ask(
        &self,
        settings: &Settings,
        line: &str,
        queries: &[Query],
    ) -> Result<Vec<String>, Trouble> {
        let queries: String = queries
            .iter()
            .map(|query| format!("query {}\n", query.word()))
            .collect();
        let n_queries = queries.lines().count();
        let exchange = self.exchange(settings, &format!("{line}\n{queries}"))?;
        match exchange.error {
            None if exchange.responses.len() == n_queries => Ok(exchange.responses),
            error => {
                let error = error.unwrap_or_else(|| "answers missing".to_owned());
                Err(self.fail(&format!("{line}: {error}")))
            }
        }
    }

    /// Position string and board options of a position.
    pub(super) fn facts(&self, settings: &Settings, line: &str) -> Result<Facts, Trouble> {
        let mut answers = self.ask(settings, line, &[Query::Fen, Query::Game])?;
        let game = answers.pop().unwrap_or_default();
        let options: Vec<&str> = game.split_whitespace().skip(1).collect();
        Ok(Facts {
            shape: options.join(" "),
            fen: answers.pop().unwrap_or_default(),
        })
    }

    /// The board as the program draws it for a person; empty if it does not.
    pub(super) fn drawing(&self, settings: &Settings, line: &str) -> Vec<String> {
        let exchange = self.exchange(settings, &format!("{line}\nd\n"));
        let mut text = exchange.map_or_else(|_| Vec::new(), |exchange| exchange.text);
        text.retain(|line| !line.starts_with("fen:"));
        text
    }
}

/// The key of a line, from the key of the line without its last word.
pub(super) fn extended_key(key: u128, word: &str) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, key, word).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(1) << 64 | half(2)
}
