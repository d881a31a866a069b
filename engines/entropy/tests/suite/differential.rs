//! Compares the game with the slow second implementation, along random games.

use fastrand::Rng;
use kit::Side;
use laws::testing::{result_name, sample};

use crate::naive::Naive;

/// Positions compared for each goal.
const POSITIONS: usize = 60_000;
const LONGEST_GAME: usize = 60;

#[test]
fn contact_plays_by_the_rules() {
    compare("contact");
}

#[test]
fn apart_plays_by_the_rules() {
    compare("apart");
}

/// Every second game begins at the start, the others in random positions: with more checks and closer to the end.
fn compare(goal: &str) {
    let mut compared = 0;
    for seed in 1.. {
        let mut rng = Rng::with_seed(seed);
        let start = match seed % 2 {
            0 => "sssss/s3s/5/o3o/ooooo o 0".to_owned(),
            _ => random_position(&mut rng),
        };
        compared += compare_game(goal, &start, &mut rng, seed);
        if compared >= sample(POSITIONS) {
            break;
        }
    }
}

/// Compares the positions of one random game. Returns their number.
fn compare_game(goal: &str, start: &str, rng: &mut Rng, seed: u64) -> usize {
    let mut fast = crate::with_goal(goal, start);
    let mut slow = Naive::new(goal == "apart", start);
    for n in 1..=LONGEST_GAME {
        let at = format!("goal {goal}, seed {seed}, move {n}: {}", fast.fen());
        let moves = slow.moves();
        assert_eq!(fast.moves(), moves, "{at}");
        assert_eq!(fast.fen(), slow.text(), "{at}");
        assert_eq!(
            result_name(fast.outcome(), ["o", "s"]),
            slow.result(),
            "{at}"
        );
        assert_eq!(
            fast.0.side(),
            Side::BOTH[usize::from(slow.mover() != 'o')],
            "{at}"
        );
        let Some(code) = rng.choice(&moves) else {
            return n;
        };
        fast = fast.play(code);
        slow.play(code);
    }
    LONGEST_GAME
}

/// Seven pieces of each player on random squares, with either side to move and any number of passes before.
fn random_position(rng: &mut Rng) -> String {
    let mut squares: Vec<char> = "ooooooosssssss...........".chars().collect();
    rng.shuffle(&mut squares);
    let ranks: Vec<String> = squares
        .chunks(5)
        .map(|rank| rank.iter().collect())
        .collect();
    let mut ranks = ranks.join("/");
    for n in (1..=5).rev() {
        ranks = ranks.replace(&".".repeat(n), &n.to_string());
    }
    let mover = if rng.bool() { 'o' } else { 's' };
    format!("{ranks} {mover} {}", rng.u8(..3))
}
