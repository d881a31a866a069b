//! The statistics of a match, counted game by game: its standing while it runs, and the report at its end.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::course::Lengths;
use super::faults::Faults;
use super::progress::{Progress, ProgressPoint};
use super::report::{Repeats, Report};
use super::sprt::{Sprt, SprtStatus};
use super::standing::{Counter, Standing};
use super::thinking::ThinkingTimes;
use crate::game::{GameRecord, GameResult, PlayedGame, Termination};
use crate::plan::Plan;

/// Counts games as they finish, for the standing of a match and for reports. Keeps one line for each game, without its
/// moves.
#[derive(Debug, Clone)]
pub struct Summary {
    counter: Counter,
    /// Number of occurrences of each game, by a hash of its opening position and moves.
    kinds: HashMap<u64, u64>,
    progress: Progress,
    /// Thinking times of the players.
    pub times: ThinkingTimes,
    /// Lengths of the games.
    pub lengths: Lengths,
    /// Faults of the engines.
    pub faults: Faults,
    /// The games in the order in which they finished.
    pub games: Vec<GameLine>,
    n_sources: usize,
}

/// A finished game in brief.
#[derive(Debug, Clone, PartialEq)]
pub struct GameLine {
    /// Index of the file that contains the game.
    pub source: usize,
    /// Its number in the schedule, from 1.
    pub game: usize,
    /// The indices of its players in the summary's names.
    pub players: [usize; 2],
    /// Its result.
    pub result: GameResult,
    /// The kind of ending.
    pub termination: Termination,
    /// The reason for the result, in words.
    pub reason: String,
    /// Number of plies, those of the opening included.
    pub plies: usize,
}

impl Summary {
    /// Creates a summary without games. Players not named here are added in the order of their first game.
    pub fn new(names: &[&str], sprt: Option<Sprt>) -> Summary {
        Summary {
            counter: Counter::new(names, sprt),
            kinds: HashMap::new(),
            progress: Progress::new(),
            times: ThinkingTimes::default(),
            lengths: Lengths::default(),
            faults: Faults::default(),
            games: Vec::new(),
            n_sources: 0,
        }
    }

    /// Begins the summary of a match.
    pub fn of(plan: &Plan) -> Summary {
        let names = plan.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut summary = Summary::new(&names, plan.sprt);
        summary.begin_source(Some(plan));
        summary
    }

    /// Begins a file: the games counted next belong to this match. `None` for a file without a plan.
    pub fn begin_source(&mut self, plan: Option<&Plan>) {
        self.n_sources += 1;
        self.counter.begin_source(plan);
        let limits = plan.iter().flat_map(|plan| plan.limits());
        self.times.set_limits(limits);
    }

    /// Counts a finished game.
    pub fn count(&mut self, record: &GameRecord) {
        let source = self.n_sources.saturating_sub(1);
        self.counter.count(record);
        if record.result != GameResult::Unknown {
            let hasher = BuildHasherDefault::<DefaultHasher>::new();
            let kind = hasher.hash_one((&record.opening.fen, &record.moves));
            *self.kinds.entry(kind).or_default() += 1;
        }
        self.progress.count(&self.counter);
        self.times.count(record);
        self.lengths.count(record);
        self.faults.count(source, record);
        self.games.push(GameLine {
            source,
            game: record.game,
            players: [&record.p1, &record.p2].map(|name| self.counter.place(name)),
            result: record.result,
            termination: record.termination,
            reason: record.reason.clone(),
            plies: record.moves.len(),
        });
    }

    /// The names of the players.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.counter.names()
    }

    /// Number of files.
    pub fn n_sources(&self) -> usize {
        self.n_sources
    }

    /// The standing of a match of `n_planned` games.
    pub fn standing(&self, n_planned: usize) -> Standing {
        self.counter
            .standing(self.games.len(), n_planned, &self.faults)
    }

    /// Computes the results, the ratings and the scores of each pairing.
    pub fn report(&self) -> Report {
        self.counter
            .report(Repeats::of(self.kinds.values().copied()))
    }

    /// Elo and LLR over the match; the last point follows the last game.
    pub fn progress(&self) -> Vec<ProgressPoint> {
        self.progress.points(&self.counter)
    }

    /// The status of the SPRT: the verdict of the match itself. `None` without a test, or if it is not the only pairing.
    pub fn sprt(&self) -> Option<SprtStatus> {
        self.counter.only_duel().and(self.counter.sprt())
    }

    /// The results of a file's games, by its index, in the order in which they finished.
    pub fn results(&self, source: usize) -> impl Iterator<Item = PlayedGame<'_>> {
        let names: Vec<&str> = self.names().collect();
        let own = self.games.iter().filter(move |game| game.source == source);
        own.map(move |line| (line.game, line.players.map(|at| names[at]), line.result))
    }
}

#[cfg(test)]
pub(super) mod tests;
