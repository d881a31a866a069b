//! Compares the engine's rules with the naive ones along random games.

use std::collections::BTreeSet;

use kit::{DynHistory, PositionHistory, Side};

use crate::at;
use crate::naive::Naive;
use laws::testing::{full, play, result_name};

/// Positions compared for each set of options.
const POSITIONS: usize = 1_800;
/// Maximum length of a game in plies.
const LONGEST_GAME: usize = 120;

#[test]
fn the_engine_agrees_with_the_naive_rules() {
    // A third is enough to see every end.
    let share = if full() { 1 } else { 3 };
    let mut visited = 0;
    let mut ends = BTreeSet::new();
    for size in 3..=8 {
        for slide_limit in [0, 1, 6, 99] {
            for repetition in [None, Some(2), Some(3)] {
                let mut games = (0..).map(|seed| compare_game(size, slide_limit, repetition, seed));
                let mut compared = 0;
                while compared < POSITIONS / share {
                    let (positions, end) = games.next().expect("as many games as it takes");
                    compared += positions;
                    ends.insert((slide_limit, repetition, end));
                }
                visited += compared;
            }
        }
    }
    assert!(
        visited >= 100_000 / share,
        "only {visited} positions were compared"
    );
    for end in [
        (0, None, "x"),
        (0, None, "o"),
        (6, None, "draw"),
        (0, Some(2), "draw"),
        (0, Some(3), "draw"),
    ] {
        let (slide_limit, repetition, result) = end;
        let end = (slide_limit, repetition, result.to_owned());
        assert!(ends.contains(&end), "no game ended as {end:?}");
    }
}

/// Plays one random game on both. Returns the number of positions and the result.
fn compare_game(
    size: i32,
    slide_limit: usize,
    repetition: Option<usize>,
    seed: u64,
) -> (usize, String) {
    let mut rng = fastrand::Rng::with_seed(seed);
    // Games that consist of slides are long and repeat positions.
    let slides_in_ten = rng.usize(0..=10);
    let word = repetition.map_or("off".to_owned(), |n| n.to_string());
    let options = format!("Size={size} SlideLimit={slide_limit} Repetition={word}");
    let mut history = at(&options, "startpos");
    let mut naive = Naive::new(size, slide_limit, repetition);
    loop {
        let moves = naive.moves();
        let ply = history.ply();
        let here = format!("{options}, seed {seed}, ply {ply}: {}", naive.text());
        compare(&history, &naive, &moves, &here);
        if moves.is_empty() || ply == LONGEST_GAME {
            return (ply + 1, naive.result());
        }
        let is_slide = rng.usize(0..10) < slides_in_ten;
        let wanted: Vec<&String> = moves
            .iter()
            .filter(|code| code.contains('>') == is_slide)
            .collect();
        let code = rng.choice(wanted).unwrap_or(&moves[0]);
        play(&mut history, code);
        naive.play(code);
    }
}

fn compare(history: &PositionHistory<susan::Susan>, naive: &Naive, moves: &[String], at: &str) {
    assert_eq!(history.fen(), naive.text(), "{at}");
    let turn = if history.side() == Side::P1 { 'x' } else { 'o' };
    assert_eq!(turn, naive.turn(), "{at}");
    let result = result_name(history.outcome(), ["x", "o"]);
    assert_eq!(result, naive.result(), "{at}");
    assert_eq!(DynHistory::moves(history), moves, "{at}");
}
