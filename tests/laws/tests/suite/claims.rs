//! Compares claimed wins and losses with retrograde analysis of random graphs, for every point at which a search can be
//! stopped, and for tables that contain the positions from other games.

use std::collections::HashMap;

use crate::graph::{Graph, Shape, search};
use kit::search::{Bound, Line, Searcher, mate_distance};
use kit::{PositionHistory, Value};
use laws::searches::first;
use laws::testing::full;

/// Random graphs of several shapes.
fn graphs(n: u64) -> impl Iterator<Item = (Graph, fastrand::Rng)> {
    (0..n).map(|seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let shape = Shape {
            n_vertices: rng.u16(6..40),
            end_rate: rng.u64(4..12),
            repetition: [None, Some(2), Some(3)][rng.usize(..3)],
            ..Shape::small(seed)
        };
        (Graph::new(shape), rng)
    })
}

/// Checks a line's claim against `value`, which is computed only if there is one. Returns `false` if the line claims
/// nothing.
fn check(line: &Line, value: impl FnOnce() -> Value, what: &dyn std::fmt::Debug) -> bool {
    let Some(plies) = mate_distance(line.score) else {
        return false;
    };
    let value = value();
    let is_true = match value {
        Value::Win(n) => plies >= n as i32 && line.bound != Some(Bound::Upper),
        Value::Loss(n) => plies <= -(n as i32) && line.bound != Some(Bound::Lower),
        Value::Draw => false,
    };
    assert!(is_true, "{what:?}: {line:?} claimed, but {value:?}");
    true
}

#[test]
fn no_claim_is_false_wherever_the_search_is_stopped() {
    let step = if full() { 1 } else { 3 };
    let mut n_claims = [0, 0];
    for (index, (game, mut rng)) in graphs(60).enumerate() {
        let history = game.random_game(rng.usize(..12), &mut rng);
        let value = Graph::solve(&history);
        let mut values = HashMap::new();
        // Each number occurs with some graph.
        for nodes in (1..=400).skip(index % step).step_by(step) {
            let found = search(&mut Searcher::new(1, 1), &history, nodes, 1);
            let is_claim = check(&found.lines[0], || value, &(nodes, &history));
            n_claims[0] += usize::from(is_claim);
            let found = search(&mut Searcher::new(1, 1), &history, nodes, 3);
            for line in &found.lines {
                let mv = first(&history, line);
                let value = || {
                    let known = values.entry(mv);
                    *known.or_insert_with(|| Graph::value_of_move(&history, mv))
                };
                let is_claim = check(line, value, &(nodes, &history));
                n_claims[1] += usize::from(is_claim);
            }
        }
    }
    assert!(n_claims.iter().all(|&n| n > 1_000 / step), "{n_claims:?}");
}

/// The start of the first larger graph, from this seed on, whose value fits. Few fit, and each takes long to solve.
fn deep_game(first_seed: u64, is_fit: impl Fn(Value) -> bool) -> (PositionHistory<Graph>, Value) {
    let start = |seed| {
        let shape = Shape {
            n_vertices: 400,
            end_rate: 20,
            quiet_limit: None,
            ..Shape::small(seed)
        };
        let history = PositionHistory::start(Graph::new(shape));
        let value = Graph::solve(&history);
        (history, value)
    };
    (first_seed..)
        .map(start)
        .find(|(_, value)| is_fit(*value))
        .expect("some graph has it")
}

#[test]
fn no_claim_is_false_at_any_of_5000_nodes() {
    let step = if full() { 1 } else { 7 };
    let win = deep_game(8, |value| matches!(value, Value::Win(9..=11)));
    let loss = deep_game(129, |value| matches!(value, Value::Loss(8..=10)));
    for (history, value) in [win, loss] {
        let mut n_claims = 0;
        for nodes in (1..=5_000).step_by(step) {
            let found = search(&mut Searcher::new(1, 1), &history, nodes, 1);
            n_claims += usize::from(check(&found.lines[0], || value, &nodes));
        }
        assert!(n_claims > 0, "{value:?}");
    }
}

/// Repetition and the counter of quiet moves make the value of a position depend on the game before it, and the table
/// contains results of other games and other lines.
#[test]
fn no_claim_from_the_table_ignores_the_game_before() {
    let mut n_claims = 0;
    for (game, mut rng) in graphs(400) {
        let mut searcher = Searcher::new(1, 1);
        for _ in 0..6 {
            let mut history = PositionHistory::start(game.clone());
            while history.outcome().is_none() && history.ply() < 24 {
                let found = search(&mut searcher, &history, rng.u64(1..400), 1);
                let value = || Graph::solve(&history);
                n_claims += usize::from(check(&found.lines[0], value, &history));
                history.play(*rng.choice(&history.moves()).expect("a move"));
            }
        }
    }
    assert!(n_claims > 1_000, "{n_claims}");
}

#[test]
fn threads_claim_nothing_false() {
    let mut n_claims = 0;
    for (game, mut rng) in graphs(40) {
        let mut searcher = Searcher::new(1, 3);
        for _ in 0..3 {
            let history = game.random_game(rng.usize(..12), &mut rng);
            let found = search(&mut searcher, &history, rng.u64(1..2_000), 1);
            let value = || Graph::solve(&history);
            n_claims += usize::from(check(&found.lines[0], value, &history));
        }
    }
    assert!(n_claims > 20, "{n_claims}");
}

/// A sufficiently short forced win is found, also if the position has occurred before.
#[test]
fn short_wins_are_found() {
    let mut n_wins = 0;
    for (game, mut rng) in graphs(300) {
        let history = game.random_game(rng.usize(..12), &mut rng);
        let Value::Win(n @ 1..=5) = Graph::solve(&history) else {
            continue;
        };
        n_wins += 1;
        let found = search(&mut Searcher::new(1, 1), &history, 100_000, 1);
        let plies = mate_distance(found.lines[0].score);
        assert_eq!(plies, Some(n as i32), "{history:?}");
    }
    assert!(n_wins > 30, "{n_wins}");
}
