//! Searches of random graphs, in which lines of play transpose and repeat.

use crate::graph::{Graph, Shape};
use kit::search::proof::Verdict;
use kit::search::score::{DRAW, SearchScore, loss_in, win_in};
use kit::{Outcome, PositionHistory, Value};
use laws::searches::{follow, prove};
use laws::testing::full;

/// Random graphs of several shapes, with a random game of up to 12 plies on each.
fn games(n: u64) -> impl Iterator<Item = PositionHistory<Graph>> {
    (0..n).map(|seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let shape = Shape {
            n_vertices: rng.u16(6..30),
            max_moves: rng.u16(2..5),
            end_rate: rng.u64(4..16),
            repetition: [None, Some(2), Some(3)][rng.usize(..3)],
            quiet_limit: [None, Some(rng.u8(4..16))][rng.usize(..2)],
            ..Shape::small(seed)
        };
        let game = Graph::new(shape);
        game.random_game(rng.usize(..12), &mut rng)
    })
}

/// The forced end within `depth` plies by the rules; a position at the horizon is a draw.
fn end_within(history: &mut PositionHistory<Graph>, depth: u32, ply: usize) -> SearchScore {
    match history.outcome() {
        Some(Outcome::Draw) => return DRAW,
        Some(Outcome::Win(side)) if side == history.side() => return win_in(ply),
        Some(Outcome::Win(_)) => return loss_in(ply),
        None if depth == 0 => return DRAW,
        None => {}
    }
    let mut best = SearchScore::MIN;
    for mv in history.moves() {
        history.play(mv);
        best = best.max(-end_within(history, depth - 1, ply + 1));
        history.undo();
    }
    best
}

/// The score of a value if its end is within `plies`.
fn within(value: Value, plies: u32) -> SearchScore {
    match value {
        Value::Win(n) | Value::Loss(n) if n <= plies => value.score(),
        _ => DRAW,
    }
}

#[test]
fn solving_agrees_with_exhaustive_search() {
    let mut counts = [0; 3];
    for history in games(600) {
        let value = Graph::solve(&history);
        for depth in 0..=7 {
            let exhaustive = end_within(&mut history.clone(), depth, 0);
            assert_eq!(
                exhaustive,
                within(value, depth),
                "{history:?}, depth {depth}"
            );
        }
        counts[usize::from(value != Value::Draw) + usize::from(matches!(value, Value::Win(_)))] +=
            1;
    }
    assert!(counts.iter().all(|&n| n > 40), "{counts:?}");
}

/// A proof of a win within this many plies, in the smallest table.
fn proof(history: &PositionHistory<Graph>, within: u32) -> Verdict {
    prove(history, &history.moves(), within, 1, None).0
}

/// Covers transpositions, repetitions, positions that occurred before the root, and consecutive quiet moves.
#[test]
fn proofs_agree_with_retrograde_analysis() {
    let mut n_wins = 0;
    let step = if full() { 1 } else { 4 };
    for (index, history) in games(3_000).enumerate() {
        let value = Graph::solve(&history);
        for limit in (1..=24).skip(index % step).step_by(step) {
            let verdict = proof(&history, limit);
            let is_right = match (value, &verdict) {
                (Value::Win(n), Verdict::Win { plies, pv }) => {
                    let mut end = history.clone();
                    follow(&mut end, pv);
                    n_wins += 1;
                    (n..=limit).contains(plies)
                        && end.outcome() == Some(Outcome::Win(history.side()))
                        && pv.len() <= *plies as usize
                }
                (Value::Win(n), Verdict::NoWin) => n > limit,
                (_, verdict) => *verdict == Verdict::NoWin,
            };
            assert!(
                is_right,
                "{history:?}, within {limit}: {verdict:?}, {value:?}"
            );
        }
    }
    assert!(n_wins > 1_000 / step, "{n_wins}");
}
