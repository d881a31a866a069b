//! The engine's rules beside the naive ones, along random games.

use kit::{Board, History, Outcome, Side};

use crate::naive::Naive;
use crate::{at, play};

/// Positions compared for each set of options.
const POSITIONS: usize = 1_800;
/// Games are broken off here.
const LONGEST_GAME: usize = 120;

#[test]
fn the_engine_agrees_with_the_naive_rules() {
    let mut visited = 0;
    for size in 3..=8 {
        for slide_limit in [0, 1, 6, 99] {
            for repetition in [None, Some(2), Some(3)] {
                let mut compared = 0;
                for seed in 0.. {
                    compared += compare_game(size, slide_limit, repetition, seed);
                    if compared >= POSITIONS {
                        break;
                    }
                }
                visited += compared;
            }
        }
    }
    assert!(visited >= 100_000, "only {visited} positions were compared");
}

/// Plays one random game on both; how many positions it had.
fn compare_game(size: i32, slide_limit: usize, repetition: Option<usize>, seed: u64) -> usize {
    let mut rng = fastrand::Rng::with_seed(seed);
    // Games of few placements are long, and come back to where they were.
    let slides_in_ten = rng.usize(0..10);
    let word = repetition.map_or("off".to_owned(), |n| n.to_string());
    let options = format!("Size={size} SlideLimit={slide_limit} Repetition={word}");
    let mut history = at(&options, "startpos");
    let mut naive = Naive::new(size, slide_limit, repetition);
    for ply in 0..LONGEST_GAME {
        let moves = naive.moves();
        compare(
            &history,
            &naive,
            &moves,
            &format!("{options}, seed {seed}, ply {ply}: {}", naive.text()),
        );
        let slides = moves
            .iter()
            .position(|code| code.contains('>'))
            .unwrap_or(moves.len());
        let some = match rng.usize(0..10) < slides_in_ten && slides < moves.len() {
            true => &moves[slides..],
            false => &moves[..slides],
        };
        let Some(code) = rng.choice(some) else {
            return ply + 1;
        };
        play(&mut history, code);
        naive.play(code);
    }
    LONGEST_GAME
}

fn compare(history: &History<susan::Susan>, naive: &Naive, moves: &[String], at: &str) {
    assert_eq!(history.fen(), naive.text(), "{at}");
    let turn = if history.side() == Side::P1 { 'x' } else { 'o' };
    assert_eq!(turn, naive.turn(), "{at}");
    let result = match history.outcome() {
        None => "none",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Win(Side::P1)) => "x",
        Some(Outcome::Win(Side::P2)) => "o",
    };
    assert_eq!(result, naive.result(), "{at}");
    assert_eq!(Board::moves(history), moves, "{at}");
}
