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

/// A position of a game. The program is asked about it when an answer is needed, or before.
#[derive(Debug)]
pub(super) struct Position {
    /// Identifies the settings and the line.
    key: u128,
    settings: Arc<Settings>,
    line: String,
    /// The process with answers that are still to be read, and the answers before these.
    unread: Mutex<Option<(RulesProcess, Exchange)>>,
    /// The side to move, or that would move next, and the result, if the game is over; or the reason for which the program
    /// rejects the position.
    pub(super) early: OnceLock<Result<(Side, Option<Outcome>), Rejection>>,
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
    /// The position of this key, which is also that of the line.
    fn get(&mut self, key: u128, settings: &Arc<Settings>, line: String) -> Arc<Position> {
        if let Some(known) = self.recent.get(&key) {
            return Arc::clone(known);
        }
        let new = || Position {
            key,
            settings: Arc::clone(settings),
            line,
            unread: Mutex::default(),
            early: OnceLock::new(),
            moves: OnceLock::new(),
            facts: OnceLock::new(),
        };
        let older = self.older.remove(&key);
        let position = older.unwrap_or_else(|| Arc::new(new()));
        if self.recent.len() >= MAX_POSITIONS {
            self.older = std::mem::take(&mut self.recent);
        }
        self.recent.insert(key, Arc::clone(&position));
        position
    }
}

/// The processes of a program. Games that are played at the same time use several.
#[derive(Debug, Default)]
struct Processes {
    /// Those whose answers are all read.
    idle: Vec<RulesProcess>,
    /// The positions whose answers are not all read.
    asked: Vec<Arc<Position>>,
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
    fn process(&self) -> Result<RulesProcess, Rejection> {
        // If it cannot start, that is the failure.
        let _ = self.introduction();
        loop {
            if let Some(why) = self.failure() {
                return Err(why.into());
            }
            let mut processes = self.processes.lock();
            if let Some(process) = processes.idle.pop() {
                return Ok(process);
            }
            let Some(position) = processes.asked.pop() else {
                break;
            };
            drop(processes);
            if position.early.get().is_some() {
                self.moves(&position);
            }
            // The program was asked about this position ahead, and another move was made.
            let unread = position.unread.lock().take();
            if let Some((mut process, mut exchange)) = unread {
                self.read(&mut process, &mut exchange, usize::MAX)?;
                return Ok(process);
            }
        }
        let started = RulesProcess::start(&self.launch, self.timeouts);
        started.map_err(|why| self.fail(&why))
    }

    fn read(
        &self,
        process: &mut RulesProcess,
        exchange: &mut Exchange,
        n_responses: usize,
    ) -> Result<(), Rejection> {
        let read = process.read_answers(exchange, n_responses);
        read.map_err(|why| self.fail(&why))
    }

    /// The position of a line without moves.
    pub(super) fn first(
        &self,
        settings: &Arc<Settings>,
        line: String,
    ) -> Result<Arc<Position>, Rejection> {
        let words = settings.iter().flat_map(|(name, value)| [name, value]);
        let mut key = 0;
        words
            .chain([&line])
            .for_each(|word| key = extended_key(key, word));
        let position = self.positions.lock().get(key, settings, line);
        self.read_early(&position).map(|()| position)
    }

    /// The position after a move.
    pub(super) fn after(&self, before: &Position, code: &str) -> Result<Arc<Position>, Rejection> {
        let position = self.next(before, code);
        self.read_early(&position).map(|()| position)
    }

    fn next(&self, before: &Position, code: &str) -> Arc<Position> {
        let (key, line) = (extended_key(before.key, code), before.line_after(code));
        self.positions.lock().get(key, &before.settings, line)
    }

    /// Asks about the position after a move without waiting for the answers, if a process is idle.
    pub(super) fn ask_ahead(&self, before: &Position, code: &str) {
        let position = self.next(before, code);
        let mut processes = self.processes.lock();
        let mut unread = position.unread.lock();
        if unread.is_none()
            && position.early.get().is_none()
            && let Some(mut process) = processes.idle.pop()
        {
            process.ask(&position.settings, &questions(&position.line));
            *unread = Some((process, Exchange::default()));
            processes.asked.push(Arc::clone(&position));
        }
    }

    /// Reads what a game needs to know of a position before the next move is requested.
    fn read_early(&self, position: &Arc<Position>) -> Result<(), Rejection> {
        let Position { settings, line, .. } = &**position;
        let mut is_left = false;
        let read = || {
            let ahead = position.unread.lock().take();
            let (mut process, mut exchange) = match ahead {
                Some(asked) => asked,
                None => {
                    let mut process = self.process()?;
                    process.ask(settings, &questions(line));
                    (process, Exchange::default())
                }
            };
            self.forget_asked(position);
            let n_early = QUERIES.len() - 1;
            self.read(&mut process, &mut exchange, n_early)?;
            if let Some(side) = exchange.early_side() {
                *position.unread.lock() = Some((process, exchange));
                is_left = true;
                return Ok((side, None));
            }
            if exchange.responses.len() == n_early && exchange.error.is_none() {
                self.read(&mut process, &mut exchange, usize::MAX)?;
            }
            self.processes.lock().idle.push(process);
            let state = self.checked(exchange, line)?;
            if state.outcome.is_some() && self.ask_state(settings, line)? != state {
                return Err(self.fail(&format!("two answers for {}", excerpt(line))));
            }
            let _ = position.moves.set(state.moves.into());
            Ok((state.side, state.outcome))
        };
        let early = position.early.get_or_init(read).clone();
        // Only now may another thread read the rest, for want of an idle process.
        if is_left {
            self.processes.lock().asked.push(Arc::clone(position));
        }
        early.map(drop)
    }

    /// The legal moves of a position, separated by blanks; empty after a failure. Blocks until they are read.
    pub(super) fn moves<'a>(&self, position: &'a Arc<Position>) -> &'a str {
        let read = |(mut process, mut exchange): (RulesProcess, Exchange)| {
            self.read(&mut process, &mut exchange, usize::MAX)?;
            let state = exchange.state();
            let state = state.map_err(|why| self.fail(&format!("{}: {why}", position.line)))?;
            self.forget_asked(position);
            self.processes.lock().idle.push(process);
            Ok::<_, Rejection>(state.moves.into())
        };
        position.moves.get_or_init(|| {
            let unread = position.unread.lock().take();
            let moves = unread.and_then(|unread| read(unread).ok());
            moves.unwrap_or_default()
        })
    }

    fn forget_asked(&self, position: &Arc<Position>) {
        let asked = &mut self.processes.lock().asked;
        asked.retain(|asked| !Arc::ptr_eq(asked, position));
    }

    /// Sends the lines to an idle process, or to a new one, after the options that it does not have yet.
    fn exchange(&self, settings: &Settings, lines: &str) -> Result<Exchange, Rejection> {
        let mut process = self.process()?;
        let exchange = process.exchange(settings, lines);
        let exchange = exchange.map_err(|why| self.fail(&why))?;
        self.processes.lock().idle.push(process);
        Ok(exchange)
    }

    /// Stores a failure of the program, and ends the processes that are not being read.
    pub(super) fn fail(&self, why: &str) -> Rejection {
        let name = &self.launch.name;
        let fault = || (format!("{RULES_FAILURE}{name}: {why}"), Instant::now());
        let (why, _) = self.fault.get_or_init(fault);
        let ended = std::mem::take(&mut *self.processes.lock());
        for position in &ended.asked {
            position.unread.lock().take();
        }
        Rejection(why.clone())
    }

    /// The first failure.
    pub(super) fn failure(&self) -> Option<&str> {
        self.fault.get().map(|(why, _)| why.as_str())
    }

    /// Asks the program for the position after a move that it may reject.
    pub(super) fn try_move(&self, at: &Position, code: &str) -> Result<PositionState, Rejection> {
        self.ask_state(&at.settings, &at.line_after(code))
    }

    fn ask_state(&self, settings: &Settings, line: &str) -> Result<PositionState, Rejection> {
        let exchange = self.exchange(settings, &questions(line))?;
        self.checked(exchange, line)
    }

    /// The state by all answers to its questions.
    fn checked(&self, exchange: Exchange, line: &str) -> Result<PositionState, Rejection> {
        match exchange.error {
            Some(why) if exchange.responses.len() == QUERIES.len() => Err(why.into()),
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
    ) -> Result<[String; N], Rejection> {
        let Position { settings, line, .. } = position;
        let exchange = self.exchange(settings, &with_queries(line, &queries))?;
        let answers = match exchange.error {
            Some(why) => Err(why),
            None => (exchange.responses.try_into()).map_err(|_| "answers missing".to_owned()),
        };
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
    let query = |query: &Query| format!("query {}\n", query.word());
    format!("{line}\n{}", queries.iter().map(query).collect::<String>())
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
