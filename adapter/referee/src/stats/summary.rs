//! All that a report shows of some games, counted as they end.

use super::progress::Progress;
use super::report::in_order;
use super::{Faults, Lengths, ProgressPoint, Report, ReportCounter, Sprt, ThinkingTimes};
use crate::plan::Plan;
use crate::record::{GameRecord, GameResult, Termination};

/// Counts games for a report with plots and lists. It keeps a line of each game, and no moves.
#[derive(Debug, Clone)]
pub struct Summary {
    counter: ReportCounter,
    progress: Progress,
    /// Thinking times of all players.
    pub times: ThinkingTimes,
    /// Lengths of the games.
    pub lengths: Lengths,
    /// What engines did wrong.
    pub faults: Faults,
    /// The finished games, in the order in which they ended.
    pub games: Vec<GameLine>,
    n_sources: usize,
}

/// A finished game in short.
#[derive(Debug, Clone, PartialEq)]
pub struct GameLine {
    /// The number of the file that the game is in, from 0.
    pub source: usize,
    /// The game's number.
    pub game: usize,
    /// Who moved first: an index into the names of the summary.
    pub p1: usize,
    /// Who moved second.
    pub p2: usize,
    /// Who won.
    pub result: GameResult,
    /// In what way it ended.
    pub termination: Termination,
    /// Why it ended, in words.
    pub reason: String,
    /// Moves of both players, those of the opening included.
    pub plies: usize,
}

impl Summary {
    /// No games yet. Players who are not named here follow in the order in which they are counted.
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

    /// All games of some files, in the order of each file; `plans` has the plan of each. `names` gives the order of the
    /// players as for [`Report::of`].
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

    /// The games counted from now on are of this match.
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

    /// The players.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.counter.names()
    }

    /// How many files the games come from.
    pub fn n_sources(&self) -> usize {
        self.n_sources
    }

    /// Results, ratings, and what two players scored against each other.
    pub fn report(&self) -> Report {
        self.counter.report()
    }

    /// How Elo and the sequential test went, the last point after the last game.
    pub fn progress(&self) -> Vec<ProgressPoint> {
        self.progress.points(&self.counter)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::opening::Opening;

    /// A game of one move between A and B, who take turns in moving first; two games make a pair.
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

    /// Counting one by one, in the order of ending, gives the report that the records give.
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
