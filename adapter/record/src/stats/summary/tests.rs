//! Tests of summaries, and the games of the tests around them.

use kit::Side;

use super::*;
use crate::game::{GameResult, Termination};
use crate::stats::sprt::Model;
use crate::testing::plan;

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
        moves: vec!["x".to_owned()],
        result,
        termination: Termination::Normal,
        plies: vec![None],
        ..GameRecord::default()
    }
}

#[test]
fn games_are_counted_in_the_order_of_finishing() {
    let mut summary = Summary::new(&["A"], None);
    summary.begin_source(None);
    for game in [2, 1, 4, 3, 5] {
        summary.count(&record(game, GameResult::P1Win));
    }
    let report = summary.report();
    assert_eq!(report.duels[0].player, "A", "who is named first");
    assert_eq!(report.duels[0].pairs.split, 2);
    assert_eq!(report.repeats.distinct, 1);
    let numbers: Vec<_> = summary.results(0).map(|(game, ..)| game).collect();
    assert_eq!(numbers, [2, 1, 4, 3, 5]);
}

/// Every game begins from a position with player 2 to move, who wins it.
#[test]
fn the_first_mover_is_the_side_that_moved_first() {
    let mut summary = Summary::of(&plan(&["A", "B"]));
    for game in 1..=40 {
        summary.count(&GameRecord {
            first: Side::P2,
            ..record(game, GameResult::P2Win)
        });
    }
    let report = summary.report();
    assert_eq!(report.first_mover.score.value, 1.0);
    assert!(report.ratings.first_move.value > 400.0, "{report:?}");
    let standing = summary.standing(40);
    assert_eq!(standing.first_mover.map(|share| share.value), Some(1.0));
    let bins = summary.lengths.bins(9);
    assert_eq!(bins[0].games, [40, 0, 0, 0]);
    assert_eq!(report.tally.rows[0].as_p2.wins, 20, "of the board's sides");
}

#[test]
fn files_have_pairs_of_their_own() {
    let mut summary = Summary::new(&["A", "B"], None);
    for number in [1, 2] {
        summary.begin_source(None);
        summary.count(&record(number, GameResult::P1Win));
    }
    assert_eq!(summary.report().duels[0].pairs.total(), 0);
    assert_eq!(summary.games[1].source, 1);
}

#[test]
fn each_window_has_its_own_score() {
    let results = [
        GameResult::P1Win,
        GameResult::Draw,
        GameResult::Unknown,
        GameResult::P1Win,
        GameResult::P2Win,
        GameResult::P1Win,
    ];
    let mut summary = Summary::new(&["A"], None);
    for (result, game) in results.into_iter().zip(1..) {
        summary.count(&record(game, result));
    }
    let found = summary.windows(2);
    let shown: Vec<_> = found.iter().map(|w| (w.first, w.last, w.score)).collect();
    // A moves first in games 1, 3 and 5; game 3 has no result.
    assert_eq!(shown, [(1, 2, 0.75), (3, 4, 0.0), (5, 5, 0.0)]);
}

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
    assert!(Summary::new(&[""; 0], None).progress().is_empty());
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
