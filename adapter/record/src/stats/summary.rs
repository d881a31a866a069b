//! The complete data of a report, counted game by game.

use super::faults::Faults;
use super::lengths::Lengths;
use super::progress::{Progress, ProgressPoint};
use super::report::{Report, ReportCounter, in_order};
use super::sprt::Sprt;
use super::thinking::ThinkingTimes;
use crate::game::{GameRecord, GameResult, Termination};
use crate::plan::Plan;

/// Counts games for a report with plots and lists. Keeps one line for each game, without its moves.
#[derive(Debug, Clone)]
pub struct Summary {
    counter: ReportCounter,
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
    /// The game's number.
    pub game: usize,
    /// Index of player 1 in the summary's names.
    pub p1: usize,
    /// Index of player 2 in the summary's names.
    pub p2: usize,
    /// The result.
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
            counter: ReportCounter::new(names),
            progress: Progress::new(sprt),
            times: ThinkingTimes::default(),
            lengths: Lengths::default(),
            faults: Faults::default(),
            games: Vec::new(),
            n_sources: 0,
        }
    }

    /// Counts all games of several files in file order. `plans` holds the plan of each file. `names` determines the
    /// order of players as in [`Report::of`].
    pub fn of(
        plans: &[Option<&Plan>],
        sources: &[Vec<GameRecord>],
        names: &[&str],
        sprt: Option<Sprt>,
    ) -> Summary {
        let mut summary = Summary::new(&in_order(sources, names), sprt);
        for (plan, games) in plans.iter().zip(sources) {
            summary.begin_source(*plan);
            games.iter().for_each(|game| summary.count(game));
        }
        summary
    }

    /// Begins a file: the games counted next belong to this match.
    pub fn begin_source(&mut self, plan: Option<&Plan>) {
        self.n_sources += 1;
        self.counter.begin_source();
        for (name, limit) in plan.iter().flat_map(|plan| plan.limits()) {
            self.times.set_limit(&name, limit);
        }
    }

    /// Counts a finished game.
    pub fn count(&mut self, record: &GameRecord) {
        let source = self.n_sources.saturating_sub(1);
        self.counter.count(record);
        self.progress.count(&self.counter);
        self.times.count(record);
        self.lengths.count(record);
        self.faults.count(source, record);
        let place = |name: &str| self.names().position(|known| known == name);
        self.games.push(GameLine {
            source,
            game: record.game,
            p1: place(&record.p1).expect("the counter knows its players"),
            p2: place(&record.p2).expect("the counter knows its players"),
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

    /// Computes the results, the ratings and the scores of each pairing.
    pub fn report(&self) -> Report {
        self.counter.report()
    }

    /// Elo and LLR over the match; the last point follows the last game.
    pub fn progress(&self) -> Vec<ProgressPoint> {
        self.progress.points(&self.counter)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::opening::position::Opening;

    /// A game of one move between A and B, who alternate in moving first. Two games make a pair.
    pub(in crate::stats) fn record(game: usize, result: GameResult) -> GameRecord {
        let (p1, p2) = match game % 2 {
            1 => ("A", "B"),
            _ => ("B", "A"),
        };
        GameRecord {
            game,
            pair: game.div_ceil(2),
            p1: p1.to_owned(),
            p2: p2.to_owned(),
            opening: Opening::default(),
            moves: vec!["x".to_owned()],
            result,
            termination: Termination::Normal,
            reason: String::new(),
            plies: vec![None],
            date: String::new(),
            notes: Vec::new(),
            fault: None,
            machine: None,
        }
    }

    /// Counting game by game, in the order of finishing, gives the same report as the list of records.
    #[test]
    fn a_summary_reports_as_the_records_do() {
        let games: Vec<_> = [2, 1, 4, 3, 5]
            .map(|game| record(game, GameResult::P1Win))
            .into();
        let mut summary = Summary::new(&["A", "B"], None);
        summary.begin_source(None);
        games.iter().for_each(|game| summary.count(game));
        let report = Report::of(&[games], &[]);
        assert_eq!(summary.report(), report);
        assert_eq!(report.duels[0].player, "A", "A moves first in game 1");
        assert_eq!(report.duels[0].pairs.split, 2);
        assert_eq!(report.repeats.distinct, 1);
    }

    #[test]
    fn files_have_pairs_of_their_own() {
        let game = |number| vec![record(number, GameResult::P1Win)];
        let report = Report::of(&[game(1), game(2)], &["B"]);
        assert_eq!(report.duels[0].pairs.total(), 0);
        assert_eq!(report.duels[0].player, "B", "who is named first");
        let mut summary = Summary::new(&["A", "B"], None);
        for number in [1, 2] {
            summary.begin_source(None);
            summary.count(&record(number, GameResult::P1Win));
        }
        assert_eq!(summary.report().duels[0].pairs.total(), 0);
        assert_eq!(summary.games[1].source, 1);
    }
}
