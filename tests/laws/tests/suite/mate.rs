//! Tests of `go mate`: the proof and the following search for a move stay within the limits.

use std::time::Duration;

use crate::graph::{Graph, Shape};
use kit::search::proof::Verdict;
use kit::search::{Budget, Control, Limits, Progress, Searcher, mate_distance};
use kit::{DynHistory, PositionHistory, Value};
use laws::searches::{self, prove, request};

/// Graphs with long games.
fn games(n: u64) -> impl Iterator<Item = PositionHistory<Graph>> {
    (0..n).map(|seed| {
        let shape = Shape {
            n_vertices: 200,
            end_rate: 12,
            ..Shape::small(seed)
        };
        let mut rng = fastrand::Rng::with_seed(seed);
        Graph::new(shape).random_game(rng.usize(..10), &mut rng)
    })
}

fn find(history: &PositionHistory<Graph>, limits: Limits) -> Progress {
    let request = request(history, limits);
    searches::find(&mut Searcher::new(1, 1), history, &request)
}

fn mate(within: u32) -> Limits {
    Limits {
        mate: Some(within),
        ..Limits::default()
    }
}

#[test]
fn a_proof_that_is_stopped_claims_nothing_false() {
    let mut n_unknown = 0;
    for history in games(30) {
        let value = Graph::solve(&history);
        for nodes in 0..300 {
            let (verdict, visited) = prove(&history, &history.moves(), 15, 1, Some(nodes));
            assert!(visited <= nodes, "{visited} of {nodes}");
            match (&verdict, value) {
                (Verdict::Win { plies, .. }, Value::Win(n)) => assert!((n..=15).contains(plies)),
                (Verdict::NoWin, Value::Win(n)) => assert!(n > 15),
                (Verdict::Win { .. }, _) => panic!("{history:?}: {verdict:?}"),
                (Verdict::NoWin, _) => {}
                (Verdict::Unknown, _) => n_unknown += 1,
            }
        }
    }
    assert!(n_unknown > 1_000, "{n_unknown}");
}

#[test]
fn all_of_the_search_stays_within_the_nodes() {
    let mut n_wins = 0;
    for history in games(100) {
        for nodes in [1, 2, 10, 100, 1_000] {
            let limits = Limits {
                nodes: Some(nodes),
                ..mate(7)
            };
            let found = find(&history, limits);
            assert!(found.nodes <= nodes, "{} of {nodes}", found.nodes);
            let line = &found.lines[0];
            assert!(DynHistory::moves(&history).contains(&line.pv[0]));
            let wins = mate_distance(line.score).is_some_and(|n| n > 0);
            n_wins += u32::from(wins && nodes == 1_000);
        }
    }
    assert!(n_wins > 10, "{n_wins}");
}

/// With a time limit of 0, the search ends at its first check of the clock.
#[test]
fn all_of_the_search_stays_within_the_time() {
    for history in games(20) {
        let limits = Limits {
            budget: Budget::Fixed(Duration::ZERO),
            ..mate(40)
        };
        let found = find(&history, limits);
        assert!(found.nodes < 500, "{}", found.nodes);
    }
}

#[test]
fn a_stopped_search_names_a_move() {
    let history = games(1).next().expect("a game");
    let control = Control::default();
    control.stop();
    let request = request(&history, mate(40));
    let found = Searcher::new(1, 1).search(&history, &request, &control, &mut |_| {});
    assert!(found.nodes < 500, "{}", found.nodes);
    assert!(DynHistory::moves(&history).contains(&found.lines[0].pv[0]));
}

/// A reported `mate` distance is a proof, so it must agree with the exact value.
#[test]
fn a_win_is_found_where_there_is_one() {
    for history in games(60) {
        if let Value::Win(n @ ..=11) = Graph::solve(&history) {
            let score = find(&history, mate(11)).lines[0].score;
            let found = mate_distance(score).expect("a win");
            assert!((n..=11).contains(&(found as u32)), "{found} for {n}");
        }
    }
}
