//! Tests of summaries, and the games of the tests around them.

use kit::Side;

use super::*;
use crate::game::{GameResult, Termination};
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
