//! Compares the engine's rules with the plain ones, position by position along random games.

use crate::naive::Naive;
use kit::{DynHistory, Outcome, Side};
use laws::testing::sample;
use projex::geometry::Geometry;

/// Positions for each size, with swap and without: 100,800 in all.
const POSITIONS: usize = 4_200;

#[test]
fn random_games_agree_with_the_plain_rules() {
    for size in Geometry::SIZES {
        for has_swap in [true, false] {
            let mut n_positions = 0;
            for seed in 0.. {
                n_positions += compare_game(size, has_swap, seed);
                if n_positions >= sample(POSITIONS) {
                    break;
                }
            }
        }
    }
}

/// Plays one game to its end. Returns the number of positions.
fn compare_game(size: i32, has_swap: bool, seed: u64) -> usize {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut play = crate::after(&format!("Size={size} Swap={has_swap}"), "");
    let mut naive = Naive::new(size, has_swap);
    loop {
        let at = format!(
            "size {size}, swap {has_swap}, seed {seed}: {}",
            naive.position()
        );
        let moves = compare_position(&play, &naive, &at);
        if moves.is_empty() {
            return play.ply() + 1;
        }
        // A random choice alone would hardly ever swap.
        let is_swap = has_swap && play.ply() == 3 && rng.bool();
        let code = if is_swap {
            "swap"
        } else {
            rng.choice(&moves).expect("a move")
        };
        naive.play(code);
        DynHistory::play(&mut play, code).unwrap_or_else(|why| panic!("{at}: {why}"));
    }
}

fn compare_position(play: &crate::Play, naive: &Naive, at: &str) -> Vec<String> {
    let player = |side| match side {
        Side::P1 => 1,
        Side::P2 => 2,
    };
    let winner = play.outcome().map(|outcome| match outcome {
        Outcome::Win(side) => player(side),
        Outcome::Draw => panic!("{at}: a draw"),
    });
    let moves = DynHistory::moves(play);
    assert_eq!(winner, naive.winner(), "{at}: winner");
    let expected = if winner.is_none() {
        naive.moves()
    } else {
        Vec::new()
    };
    assert_eq!(moves, expected, "{at}: moves");
    assert_eq!(player(play.side()), naive.player(), "{at}: player to move");
    assert_eq!(play.fen(), naive.position(), "{at}: position string");
    moves
}
