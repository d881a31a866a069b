//! Tests of the values of moves by proof search, against the exact solution of small graphs.

use std::time::Duration;

use crate::graph::{Graph, Shape};
use kit::{Game, Notation, PositionHistory, Value};
use lab::prove::{MoveValue, ProofSettings, prove_moves};

fn settings(within: u32) -> ProofSettings {
    ProofSettings {
        within,
        table_mib: 1,
        time: None,
    }
}

fn games(shape: impl Fn(u64) -> Shape) -> Vec<PositionHistory<Graph>> {
    let game = |seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        Graph::new(shape(seed)).random_game(rng.usize(..6), &mut rng)
    };
    (0..60)
        .map(game)
        .filter(|game| game.outcome().is_none())
        .collect()
}

#[test]
fn each_move_has_its_exact_value() {
    let (mut n_wins, mut n_losses, mut n_draws) = (0, 0, 0);
    for history in games(Shape::small) {
        let moves = history.moves();
        let mut told = Vec::new();
        prove_moves(&history, &settings(60), &mut |proof| {
            let mv = history.game().parse_move(history.position(), &proof.mv);
            told.push(mv.expect("a move"));
            match (
                proof.value,
                Graph::value_of_move(&history, told[told.len() - 1]),
            ) {
                (MoveValue::Win(plies), Value::Win(n)) if plies >= n => n_wins += 1,
                (MoveValue::Loss, Value::Loss(_)) => n_losses += 1,
                (MoveValue::NoWin, Value::Draw) => n_draws += 1,
                (found, value) => panic!("{history:?}: {}: {found:?}, not {value:?}", proof.mv),
            }
            true
        });
        assert_eq!(told, moves);
    }
    assert!(
        n_wins > 10 && n_losses > 10 && n_draws > 10,
        "{n_wins} {n_losses} {n_draws}"
    );
}

#[test]
fn a_longer_win_than_the_limit_is_not_claimed() {
    let mut n_cut = 0;
    for history in games(Shape::small) {
        prove_moves(&history, &settings(3), &mut |proof| {
            let mv = history.game().parse_move(history.position(), &proof.mv);
            match (
                proof.value,
                Graph::value_of_move(&history, mv.expect("a move")),
            ) {
                (MoveValue::Win(_), Value::Win(n)) | (MoveValue::Loss, Value::Loss(n)) => {
                    assert!(n <= 3)
                }
                (MoveValue::NoWin, Value::Draw) => {}
                (MoveValue::NoWin, Value::Win(n) | Value::Loss(n)) => {
                    assert!(n > 3);
                    n_cut += 1;
                }
                (found, value) => panic!("{history:?}: {}: {found:?}, not {value:?}", proof.mv),
            }
            true
        });
    }
    assert!(n_cut > 10, "{n_cut}");
}

#[test]
fn no_time_proves_nothing_and_false_ends_the_proofs() {
    let shape = |seed| Shape {
        n_vertices: 200,
        end_rate: 12,
        sees_wins: false,
        ..Shape::small(seed)
    };
    let history = &games(shape)[0];
    let settings = ProofSettings {
        time: Some(Duration::ZERO),
        ..settings(60)
    };
    let mut n_told = 0;
    prove_moves(history, &settings, &mut |_| {
        n_told += 1;
        false
    });
    assert_eq!(n_told, 1);
    assert!(history.game().count_moves(history.position()) > 1);
}
