//! Elo and the log-likelihood ratio over the course of a match.

use super::elo::{Elo, Interval};
use super::summary::Summary;

/// Number of points at which every second one is removed.
const MAX_POINTS: usize = 400;

/// Largest number of players for which ratings are computed along the way; more curves are unreadable.
const MAX_CURVES: usize = 8;

/// Elo and LLR after a number of finished games.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgressPoint {
    /// Number of finished games.
    pub games: usize,
    /// With two players: one entry, the Elo difference of the first. With more: the rating of each, in the order of
    /// [`Summary::names`](super::Summary::names); empty if there are too many players for curves. `None` while the
    /// games give no bounded estimate.
    pub elo: Vec<Option<Interval>>,
    /// The log-likelihood ratio of the SPRT, if there is one.
    pub llr: Option<f64>,
}

/// The points of a match, thinned evenly to a few hundred.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    points: Vec<ProgressPoint>,
    /// How often every second point was removed.
    n_thinned: u32,
    /// `true` once a pair is complete. From then on Elo is computed from pairs, and earlier values from single games
    /// are discarded.
    has_pairs: bool,
}

impl Progress {
    /// Adds a point after the summary has counted a game.
    pub(super) fn count(&mut self, summary: &Summary) {
        let duel = || summary.only_duel();
        if !self.has_pairs && duel().is_some_and(|sample| sample.counts().len() > 3) {
            self.has_pairs = true;
            for point in &mut self.points {
                point.elo.fill(None);
                point.llr = point.llr.map(|_| 0.0);
            }
        }
        if !summary.games.len().is_multiple_of(1 << self.n_thinned) {
            return;
        }
        self.points.push(point(summary));
        if self.points.len() >= MAX_POINTS {
            self.n_thinned += 1;
            let stride = 1 << self.n_thinned;
            self.points
                .retain(|point| point.games.is_multiple_of(stride));
        }
    }

    /// All points, the last one after the last game.
    pub(super) fn points(&self, summary: &Summary) -> Vec<ProgressPoint> {
        let mut points = self.points.clone();
        if points.last().map_or(0, |last| last.games) < summary.games.len() {
            points.push(point(summary));
        }
        points
    }
}

fn point(summary: &Summary) -> ProgressPoint {
    let duel = summary.only_duel();
    let elo = match &duel {
        Some(sample) if summary.names().len() <= 2 => {
            let elo = Elo::of(sample).map(|elo| elo.elo);
            vec![elo.filter(Interval::is_bounded)]
        }
        _ => ratings(summary),
    };
    ProgressPoint {
        games: summary.games.len(),
        elo,
        llr: summary.sprt().map(|sprt| sprt.llr),
    }
}

fn ratings(summary: &Summary) -> Vec<Option<Interval>> {
    let names = summary.names();
    if names.len() > MAX_CURVES {
        return Vec::new();
    }
    let rated = summary.ratings();
    let of = |name: &str| {
        let mut players = rated.players.iter();
        let found = players.find(|player| player.name == name)?;
        Some(found.elo).filter(Interval::is_bounded)
    };
    names.map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult;
    use crate::plan::Plan;
    use crate::stats::sprt::{Model, Sprt};
    use crate::stats::summary::Summary;
    use crate::stats::summary::tests::record;
    use crate::testing::plan;

    const TEST: Sprt = Sprt {
        elo0: 0.0,
        elo1: 30.0,
        alpha: 0.05,
        beta: 0.05,
        model: Model::Logistic,
    };

    /// A wins three of four pairs; the fourth is one win each.
    fn result(game: usize) -> GameResult {
        match (game.is_multiple_of(2), game % 8) {
            (false, _) | (true, 2) => GameResult::P1Win,
            (true, _) => GameResult::P2Win,
        }
    }

    #[test]
    fn each_point_is_what_the_standing_said_after_that_game() {
        let plan = Plan {
            sprt: Some(TEST),
            ..plan(&["A", "B"])
        };
        let mut summary = Summary::of(&plan);
        let mut standings = Vec::new();
        for game in 1..=100 {
            summary.count(&record(game, result(game)));
            standings.push(summary.standing(100));
        }
        let points = summary.progress();
        assert_eq!(points.len(), 100);
        for (point, standing) in points.iter().zip(&standings) {
            assert_eq!(point.games, standing.games);
            let elo = standing.elo.map(|elo| elo.elo);
            assert_eq!(point.elo, [elo.filter(Interval::is_bounded)]);
            assert_eq!(point.llr, standing.sprt.map(|sprt| sprt.llr));
        }
        assert!(points[99].elo[0].is_some_and(|elo| elo.value > 50.0));
    }

    #[test]
    fn a_long_match_is_thinned_evenly_and_keeps_its_last_game() {
        let mut summary = Summary::new(&["A", "B"], None);
        let n_games = 12_345;
        (1..=n_games).for_each(|game| summary.count(&record(game, result(game))));
        let points = summary.progress();
        assert!((MAX_POINTS / 2..=MAX_POINTS).contains(&points.len()));
        assert_eq!(points.last().map(|point| point.games), Some(n_games));
        let steps = points.windows(2).map(|two| two[1].games - two[0].games);
        let widest = steps.clone().max();
        assert!(steps.rev().skip(1).all(|step| Some(step) == widest));
    }

    #[test]
    fn too_few_games_have_no_elo() {
        let mut summary = Summary::new(&["A", "B"], None);
        for game in 1..=6 {
            summary.count(&record(game, GameResult::P1Win));
        }
        let points = summary.progress();
        assert!(points.iter().all(|point| point.elo == [None]), "{points:?}");
        assert!(Summary::new(&[], None).progress().is_empty());
    }

    #[test]
    fn three_players_have_a_rating_each() {
        let mut summary = Summary::new(&["A", "B", "C"], None);
        let (won, drawn) = (GameResult::P1Win, GameResult::Draw);
        let games = [("A", "B", won), ("B", "C", won), ("A", "C", won)];
        let back = [("B", "A", drawn), ("C", "B", drawn), ("C", "A", won)];
        let all = games.into_iter().chain(back).cycle().take(60);
        for (game, (p1, p2, result)) in all.enumerate() {
            let mut record = record(game + 1, result);
            (record.p1, record.p2) = (p1.to_owned(), p2.to_owned());
            summary.count(&record);
        }
        let points = summary.progress();
        assert!(points.iter().all(|point| point.elo.len() == 3));
        let last: Vec<_> = points[59]
            .elo
            .iter()
            .flatten()
            .map(|elo| elo.value)
            .collect();
        assert_eq!(last.len(), 3);
        assert!(last[0] > last[2], "A scored more than C: {last:?}");
        assert!(last.iter().sum::<f64>().abs() < 1e-6);
    }
}
