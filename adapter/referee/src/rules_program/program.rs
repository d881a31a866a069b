//! A program that knows the rules of a game: its processes, and what they answer about positions.
//!
//! The questions about a position are sent at once, its answers read as far as they are needed: the legal moves are read
//! while the next player thinks.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use kit::{Outcome, Rejection, Side};
use parking_lot::Mutex;
use protocol::Query;
use protocol::text::excerpt;

use super::Introduction;
use super::process::{Exchange, PositionState, QUERIES, RulesProcess, Settings};
use crate::engine::{RULES_FAILURE, SetOption, Timeouts};
use crate::process::Launch;

/// Number of positions that are remembered by each half of the memory.
const MAX_POSITIONS: usize = 1 << 14;

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

/// A position about which the program was asked.
#[derive(Debug)]
pub(super) struct Position {
    /// Identifies the settings and the line.
    key: u128,
    settings: Arc<Settings>,
    line: String,
    /// The side to move, or that would move next.
    pub(super) side: Side,
    /// The result, if the game is over.
    pub(super) outcome: Option<Outcome>,
    /// The process with answers that are still to be read, and the answers before these.
    unread: Mutex<Option<(RulesProcess, Exchange)>>,
    /// The legal moves, separated by blanks; empty if the program has failed.
    moves: OnceLock<Box<str>>,
    facts: OnceLock<Facts>,
}

impl Position {
    /// The `position` line after a move.
    pub(super) fn line_after(&self, code: &str) -> String {
        let is_first = !self.line.contains(" moves ");
        let moves = if is_first { " moves" } else { "" };
        format!("{}{moves} {code}", self.line)
    }
}

/// Further facts of a position.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// The position string.
    pub(super) fen: String,
    /// The options of the board, as `Size=5`.
    pub(super) shape: String,
}

/// The positions asked about last, by their keys. When `recent` is full it becomes `older`, and the positions of `older`
/// that were not used since then are forgotten.
#[derive(Debug, Default)]
struct Positions {
    recent: HashMap<u128, Arc<Position>>,
    older: HashMap<u128, Arc<Position>>,
}

impl Positions {
    fn get(&mut self, key: u128) -> Option<Arc<Position>> {
        if let Some(position) = self.older.remove(&key) {
            self.insert(key, position);
        }
        self.recent.get(&key).cloned()
    }

    fn insert(&mut self, key: u128, position: Arc<Position>) {
        if self.recent.len() >= MAX_POSITIONS {
            self.older = std::mem::take(&mut self.recent);
        }
        self.recent.insert(key, position);
    }
}

/// The processes of a program. Games that are played at the same time use several.
#[derive(Debug, Default)]
struct Processes {
    /// Those whose answers are all read.
    idle: Vec<RulesProcess>,
    /// The positions whose answers are not all read.
    asked: Vec<Arc<Position>>,
    /// Those that were asked about a position, by its key, before its move was made.
    ahead: Vec<(u128, RulesProcess)>,
}

/// A program that knows the rules of a game, with its processes up to the first failure. They are started when they are
/// needed.
#[derive(Debug, Default)]
pub(super) struct RulesProgram {
    pub(super) launch: Launch,
    /// Board options whose defaults differ from the program's.
    pub(super) defaults: Vec<SetOption>,
    pub(super) timeouts: Timeouts,
    /// The result of the first start.
    introduction: OnceLock<Result<Introduction, String>>,
    processes: Mutex<Processes>,
    positions: Mutex<Positions>,
    /// The first failure, and its time.
    pub(super) fault: OnceLock<(String, Instant)>,
}

impl RulesProgram {
    pub(super) fn new(launch: Launch, defaults: &[SetOption], timeouts: Timeouts) -> RulesProgram {
        RulesProgram {
            launch,
            defaults: defaults.to_vec(),
            timeouts,
            ..RulesProgram::default()
        }
    }

    /// The program's introduction. Starts it, at the first call.
    pub(super) fn introduction(&self) -> Result<&Introduction, Rejection> {
        let introduce = || {
            let mut process = RulesProcess::start(&self.launch, self.timeouts)?;
            let introduction = Introduction::of(&mut process, &self.defaults)?;
            self.processes.lock().idle.push(process);
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

    /// Takes an idle process, or one whose answers were left for later and are read now, or a new one.
    fn process(&self) -> Result<RulesProcess, Trouble> {
        // If it cannot start, that is the failure.
        let _ = self.introduction();
        loop {
            if let Some(fault) = self.failure() {
                return Err(Trouble::Fault(fault.to_owned()));
            }
            let mut processes = self.processes.lock();
            if let Some(process) = processes.idle.pop() {
                return Ok(process);
            }
            let (ahead, asked) = (processes.ahead.pop(), processes.asked.last().cloned());
            drop(processes);
            if let Some((_, mut process)) = ahead {
                // The other move was made.
                let read = process.read_answers(&mut Exchange::default(), usize::MAX);
                return read.map(|()| process).map_err(|why| self.fail(&why));
            }
            match asked {
                Some(position) => drop(self.moves(&position)),
                None => break,
            }
        }
        let started = RulesProcess::start(&self.launch, self.timeouts);
        started.map_err(|why| self.fail(&why))
    }

    /// Asks about the position after a move without waiting for the answers, if a process is idle.
    pub(super) fn ask_ahead(&self, before: &Position, code: &str) {
        let key = extended_key(before.key, code);
        let mut processes = self.processes.lock();
        let is_asked = processes.ahead.iter().any(|(asked, _)| *asked == key);
        if !is_asked
            && self.positions.lock().get(key).is_none()
            && let Some(mut process) = processes.idle.pop()
        {
            process.ask(&before.settings, &questions(&before.line_after(code)));
            processes.ahead.push((key, process));
        }
    }

    /// A process that was asked about a position, perhaps ahead.
    fn asked(&self, settings: &Settings, key: u128, line: &str) -> Result<RulesProcess, Trouble> {
        let take_ahead = |ahead: &mut Vec<(u128, RulesProcess)>| {
            let at = ahead.iter().position(|(asked, _)| *asked == key)?;
            Some(ahead.swap_remove(at).1)
        };
        if let Some(process) = take_ahead(&mut self.processes.lock().ahead) {
            return Ok(process);
        }
        let mut process = self.process()?;
        process.ask(settings, &questions(line));
        Ok(process)
    }

    /// The position of a line without moves.
    pub(super) fn first(
        &self,
        settings: &Arc<Settings>,
        line: String,
    ) -> Result<Arc<Position>, Trouble> {
        let of_settings = settings.iter().fold(0, |key, (name, value)| {
            extended_key(extended_key(key, name), value)
        });
        self.position(settings, extended_key(of_settings, &line), line)
    }

    /// The position after a move.
    pub(super) fn after(&self, before: &Position, code: &str) -> Result<Arc<Position>, Trouble> {
        let key = extended_key(before.key, code);
        self.position(&before.settings, key, before.line_after(code))
    }

    /// A position, from memory if it was asked about before. What a game needs to know of it before the next move is
    /// requested is read.
    fn position(
        &self,
        settings: &Arc<Settings>,
        key: u128,
        line: String,
    ) -> Result<Arc<Position>, Trouble> {
        if let Some(known) = self.positions.lock().get(key) {
            return Ok(known);
        }
        let mut process = self.asked(settings, key, &line)?;
        let mut exchange = Exchange::default();
        let n_early = QUERIES.len() - 1;
        let read = process.read_answers(&mut exchange, n_early);
        read.map_err(|why| self.fail(&why))?;
        let (mut unread, moves) = (None, OnceLock::new());
        let (side, outcome) = match exchange.early_side() {
            Some(side) => {
                unread = Some((process, exchange));
                (side, None)
            }
            None => {
                if exchange.responses.len() == n_early && exchange.error.is_none() {
                    let read = process.read_answers(&mut exchange, usize::MAX);
                    read.map_err(|why| self.fail(&why))?;
                }
                self.processes.lock().idle.push(process);
                let state = self.checked(exchange, &line)?;
                if state.outcome.is_some() && self.ask_state(settings, &line)? != state {
                    return Err(self.fail(&format!("two answers for {}", excerpt(&line))));
                }
                let _ = moves.set(state.moves.into());
                (state.side, state.outcome)
            }
        };
        let is_unread = unread.is_some();
        let position = Arc::new(Position {
            key,
            settings: Arc::clone(settings),
            line,
            side,
            outcome,
            unread: Mutex::new(unread),
            moves,
            facts: OnceLock::new(),
        });
        if is_unread {
            self.processes.lock().asked.push(Arc::clone(&position));
        }
        self.positions.lock().insert(key, Arc::clone(&position));
        Ok(position)
    }

    /// The legal moves of a position, separated by blanks; empty after a failure. Blocks until they are read.
    pub(super) fn moves<'a>(&self, position: &'a Arc<Position>) -> &'a str {
        let read = |(mut process, mut exchange): (RulesProcess, Exchange)| {
            process.read_answers(&mut exchange, usize::MAX)?;
            let state = exchange.state();
            let state = state.map_err(|why| format!("{}: {why}", position.line))?;
            let mut processes = self.processes.lock();
            processes
                .asked
                .retain(|asked| !Arc::ptr_eq(asked, position));
            processes.idle.push(process);
            Ok(state.moves)
        };
        position.moves.get_or_init(|| {
            let unread = position.unread.lock().take();
            let moves = unread.map_or_else(|| Ok(String::new()), read);
            let moves = moves.map_err(|why: String| self.fail(&why));
            moves.unwrap_or_default().into()
        })
    }

    /// Sends the lines to an idle process, or to a new one, after the options that it does not have yet.
    fn exchange(&self, settings: &Settings, lines: &str) -> Result<Exchange, Trouble> {
        let mut process = self.process()?;
        let exchange = process.exchange(settings, lines);
        let exchange = exchange.map_err(|why| self.fail(&why))?;
        self.processes.lock().idle.push(process);
        Ok(exchange)
    }

    /// Stores a failure of the program, and ends the processes that are not being read.
    pub(super) fn fail(&self, why: &str) -> Trouble {
        let name = &self.launch.name;
        let fault = || (format!("{RULES_FAILURE}{name}: {why}"), Instant::now());
        let (why, _) = self.fault.get_or_init(fault);
        let ended = std::mem::take(&mut *self.processes.lock());
        for position in &ended.asked {
            position.unread.lock().take();
        }
        Trouble::Fault(why.clone())
    }

    /// The first failure.
    pub(super) fn failure(&self) -> Option<&str> {
        self.fault.get().map(|(why, _)| why.as_str())
    }

    /// Asks the program for the position after a move that it may reject.
    pub(super) fn try_move(&self, before: &Position, code: &str) -> Result<PositionState, Trouble> {
        self.ask_state(&before.settings, &before.line_after(code))
    }

    fn ask_state(&self, settings: &Settings, line: &str) -> Result<PositionState, Trouble> {
        let exchange = self.exchange(settings, &questions(line))?;
        self.checked(exchange, line)
    }

    /// The state by all answers to its questions.
    fn checked(&self, exchange: Exchange, line: &str) -> Result<PositionState, Trouble> {
        match exchange.error {
            Some(why) if exchange.responses.len() == QUERIES.len() => Err(Trouble::Rejected(why)),
            _ => {
                let state = exchange.state();
                state.map_err(|why| self.fail(&format!("{line}: {why}")))
            }
        }
    }

    /// The answers to the queries of a position that was accepted before.
    pub(super) fn ask<const N: usize>(
        &self,
        position: &Position,
        queries: [Query; N],
    ) -> Result<[String; N], Trouble> {
        let Position { settings, line, .. } = position;
        let exchange = self.exchange(settings, &with_queries(line, &queries))?;
        let error = exchange.error.map_or(Ok(()), Err);
        let answers = error.and_then(|()| {
            let responses = exchange.responses.try_into();
            responses.map_err(|_| "answers missing".to_owned())
        });
        answers.map_err(|why| self.fail(&format!("{line}: {why}")))
    }

    /// Position string and board options of a position. After a failure there are none; the failure is reported by the next
    /// move.
    pub(super) fn facts(&self, position: &Position) -> Facts {
        if let Some(facts) = position.facts.get() {
            return facts.clone();
        }
        let queries = [Query::Fen, Query::Game];
        let Ok([fen, game]) = self.ask(position, queries) else {
            return Facts::default();
        };
        let options: Vec<&str> = game.split_whitespace().skip(1).collect();
        let shape = options.join(" ");
        position.facts.get_or_init(|| Facts { fen, shape }).clone()
    }

    /// The board as the program draws it for a person; empty if it does not.
    pub(super) fn drawing(&self, position: &Position) -> Vec<String> {
        let exchange = self.exchange(&position.settings, &format!("{}\nd\n", position.line));
        let mut text = exchange.map_or_else(|_| Vec::new(), |exchange| exchange.text);
        text.retain(|line| !line.starts_with("fen:"));
        text
    }
}

/// The lines that ask for the state after a `position` line.
fn questions(line: &str) -> String {
    with_queries(line, &QUERIES)
}

fn with_queries(line: &str, queries: &[Query]) -> String {
    let queries = queries
        .iter()
        .map(|query| format!("\nquery {}", query.word()));
    format!("{line}{}\n", queries.collect::<String>())
}

/// The key of a line, from the key of the line without its last word.
fn extended_key(key: u128, word: &str) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, key, word).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(1) << 64 | half(2)
}
