//! Compares the game with the slow second implementation along random games.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use kit::dyn_history::parse_legal;
use kit::{Game, Side};
use laws::testing::{result_name, sample};

use crate::Case;
use crate::naive::Naive;

/// Positions compared for each size.
const POSITIONS: usize = 60_000;
const LONGEST_GAME: usize = 100;
/// Every code is tried in one of this many positions.
const CODES_EVERY: usize = 10;

#[test]
fn gobblet_jr_plays_by_the_rules() {
    compare(3);
}

#[test]
fn gobblet_plays_by_the_rules() {
    compare(4);
}

#[test]
fn positions_have_keys_of_their_own() {
    let mut texts = HashMap::new();
    let mut rng = Rng::with_seed(1);
    for n in 0..sample(POSITIONS) {
        let case = Case::new(&random_position(3 + (n % 2) as u8, &mut rng));
        let key = case.0.game().key(case.0.position());
        let text = case.fen();
        assert_eq!(*texts.entry(key).or_insert(text.clone()), text, "key {key}");
    }
}

/// Every second game begins at the start, the others in random positions: with taller piles and closer to the end.
fn compare(width: u8) {
    let mut compared = 0;
    let mut results = HashSet::new();
    for seed in 1.. {
        let mut rng = Rng::with_seed(seed);
        let start = match seed % 2 {
            0 => crate::start(width).fen(),
            _ => random_position(width, &mut rng),
        };
        compared += compare_game(&start, &mut rng, seed, &mut results);
        if compared >= sample(POSITIONS) {
            break;
        }
    }
    assert_eq!(results, HashSet::from(["", "draw", "r", "y"]));
}

/// Compares the positions of one random game and collects their results. Returns the number of positions.
fn compare_game(
    start: &str,
    rng: &mut Rng,
    seed: u64,
    results: &mut HashSet<&'static str>,
) -> usize {
    let mut fast = Case::new(start);
    let mut slow = Naive::new(start);
    // Players who take their moves back cause repetitions.
    let take_back = rng.bool();
    let mut played: Vec<String> = Vec::new();
    for n in 1..=LONGEST_GAME {
        let at = format!("seed {seed}, move {n}: {}", fast.fen());
        let moves = slow.moves();
        assert_eq!(fast.moves(), moves, "{at}");
        assert_eq!(fast.fen(), slow.text(), "{at}");
        assert_eq!(
            result_name(fast.outcome(), ["r", "y"]),
            slow.result(),
            "{at}"
        );
        results.insert(slow.result());
        assert_eq!(
            fast.0.side(),
            Side::BOTH[usize::from(slow.mover() != 'r')],
            "{at}"
        );
        if n % CODES_EVERY == 0 {
            assert_eq!(accepted(&fast), sorted(moves.clone()), "{at}");
        }
        let back = played.iter().nth_back(1).map(|code| reversed(code));
        let code = match back.filter(|code| take_back && moves.contains(code)) {
            Some(code) => code,
            None => match rng.choice(&moves) {
                Some(code) => code.clone(),
                None => return n,
            },
        };
        fast = fast.play(&code);
        slow.play(&code);
        played.push(code);
    }
    LONGEST_GAME
}

/// The legal codes among all codes of the larger board.
fn accepted(case: &Case) -> Vec<String> {
    let files = || ["a", "b", "c", "d"].iter();
    let names = || files().flat_map(|file| (1..=4).map(move |rank| format!("{file}{rank}")));
    let placements = (1..=4).flat_map(|size| names().map(move |to| format!("{size}@{to}")));
    let moves = names().flat_map(|from| names().map(move |to| format!("{from}-{to}")));
    let is_taken = |code: &String| parse_legal(&case.0, code).is_ok();
    sorted(placements.chain(moves).filter(is_taken).collect())
}

fn sorted(mut codes: Vec<String>) -> Vec<String> {
    codes.sort();
    codes
}

/// The code of the reverse move; for a placement, a text that is not a move.
fn reversed(code: &str) -> String {
    let (from, to) = code.split_once('-').unwrap_or_default();
    format!("{to}-{from}")
}

/// Pieces of both players in random positions, with either side to move; on 4x4 never more of a size than of the next
/// larger one.
fn random_position(width: u8, rng: &mut Rng) -> String {
    let n_squares = usize::from(width) * usize::from(width);
    let mut piles = vec![String::new(); n_squares];
    let counts = [random_counts(width, rng), random_counts(width, rng)];
    for size in 1..=width {
        let mut squares: Vec<usize> = (0..n_squares).collect();
        rng.shuffle(&mut squares);
        for (colour, counts) in ["r", "y"].iter().zip(&counts) {
            for square in squares.drain(..counts[usize::from(size) - 1]) {
                piles[square] += &format!("{colour}{size}");
            }
        }
    }
    for pile in piles.iter_mut().filter(|pile| pile.is_empty()) {
        pile.push('.');
    }
    let ranks: Vec<String> = piles
        .chunks(width.into())
        .map(|rank| rank.join(","))
        .collect();
    let mover = if rng.bool() { "r" } else { "y" };
    format!("{} {mover}", ranks.join("/"))
}

/// Number of pieces of each size on the board.
fn random_counts(width: u8, rng: &mut Rng) -> Vec<usize> {
    let mut counts: Vec<usize> = (0..width)
        .map(|_| rng.usize(..usize::from(width)))
        .collect();
    if width == 4 {
        counts.sort();
    }
    counts
}
