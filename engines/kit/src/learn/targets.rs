//! Training targets of the positions of a game.
//!
//! A target is the mean of two expected results, as shares of a point. One is the score of the position's search. The
//! other one looks ahead in the game. With lambda = 1 it is the game's result. With a smaller lambda it is the
//! TD(lambda) return (Sutton 1988): `1 - lambda` times the expected result of the position itself plus `lambda` times
//! the return of the next position, and so on to the end of the game. In a game of a thousand plies, this is more
//! informative than the result. A return is cut off at a random move, because the earlier play did not lead to what
//! follows.

use super::PlayedGame;
use crate::Side;
use crate::fitting::logistic;
use crate::network::SCALE;
use crate::search::mate_distance;

/// Share of the look-ahead return in a target; the rest is the score of the search.
const AHEAD_SHARE: f32 = 0.5;

/// For each move, the target of the position before it, from the player to move; `None` if the move was random or the
/// search found a forced end.
pub(super) fn targets(played: &PlayedGame, foresight: f32) -> Vec<Option<f32>> {
    let n_moves = played.moves.len();
    let result = |ply: usize| played.outcome().points(Side::BOTH[ply % 2]);
    // A game without a winner may have been stopped, so its result is unknown.
    let is_known = foresight == 1.0 || played.winner.is_some();
    let mut ahead = is_known.then(|| result(n_moves));
    let mut targets = vec![None; n_moves];
    for (ply, score) in played.scores.iter().enumerate().rev() {
        let Some(score) = *score else {
            ahead = (foresight == 1.0).then(|| result(ply));
            continue;
        };
        let expected = logistic(score as f32 / SCALE as f32);
        let next = ahead.map_or(expected, |next| 1.0 - next);
        let seen = foresight * next + (1.0 - foresight) * expected;
        if mate_distance(score).is_none() {
            targets[ply] = Some(AHEAD_SHARE * seen + (1.0 - AHEAD_SHARE) * expected);
        }
        ahead = Some(seen);
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::win_in;

    /// A game of five moves, won by the first player with the last one; the third move is random.
    fn game() -> PlayedGame {
        PlayedGame {
            number: 0,
            moves: vec![String::new(); 5],
            scores: vec![Some(0), Some(SCALE), None, Some(-SCALE), Some(0)],
            visits: Vec::new(),
            winner: Some(Side::P1),
        }
    }

    fn assert_targets(foresight: f32, expected: [Option<f32>; 5]) {
        let targets = targets(&game(), foresight);
        for (target, expected) in targets.iter().zip(expected) {
            let is_equal = match (target, expected) {
                (Some(target), Some(expected)) => (target - expected).abs() < 1e-6,
                (target, expected) => *target == expected,
            };
            assert!(is_equal, "{targets:?}, expected {expected:?}");
        }
    }

    #[test]
    fn with_a_foresight_of_one_the_result_counts() {
        let lead = logistic(1.0);
        let targets = [
            Some(0.75),
            Some(lead / 2.0),
            None,
            Some((1.0 - lead) / 2.0),
            Some(0.75),
        ];
        assert_targets(1.0, targets);
    }

    #[test]
    fn with_less_it_fades_and_ends_at_a_random_move() {
        let lead = logistic(1.0);
        // From the end: the last position's return is 0.75, and the position before takes half of the complement.
        let fourth = 0.5 * 0.25 + 0.5 * (1.0 - lead);
        let first = 0.5 * (1.0 - lead) + 0.5 * 0.5;
        let targets = [
            Some((first + 0.5) / 2.0),
            Some(lead),
            None,
            Some((fourth + 1.0 - lead) / 2.0),
            Some((0.75 + 0.5) / 2.0),
        ];
        assert_targets(0.5, targets);
    }

    #[test]
    fn a_forced_end_teaches_nothing_itself() {
        let mut game = game();
        game.scores[4] = Some(win_in(1));
        assert_eq!(targets(&game, 0.5)[4], None);
    }
}
