//! Scores: hundredths of a unit from the side to move, with wins and losses outside the range of static scores.
//!
//! A win in `n` plies is `WIN - n`, so a nearer win scores higher; a loss is the negation. The search produces such
//! scores only from finished games and proven results, so a lower bound that is a win and an upper bound that is a loss
//! are proofs.

use protocol::Bound;

/// A score from the side to move: hundredths of the game's unit, or a win or loss at a distance in plies.
pub type SearchScore = i32;

/// Maximum distance from the root in plies.
pub const MAX_PLY: usize = 256;

/// The score of a game that is already won; the largest score.
pub const WIN: SearchScore = 1_000_000;

/// The score of a draw.
pub const DRAW: SearchScore = 0;

/// Larger than every score, for open windows.
pub(crate) const INFINITE: SearchScore = WIN + 1;

/// The lowest score of a forced win.
pub(crate) const LEAST_WIN: SearchScore = WIN - MAX_PLY as SearchScore;

/// The score of winning in `plies`.
pub const fn win_in(plies: usize) -> SearchScore {
    WIN - plies as SearchScore
}

/// The score of losing in `plies`.
pub const fn loss_in(plies: usize) -> SearchScore {
    -win_in(plies)
}

/// Plies to the forced end of the game: positive for a win, negative or 0 for a loss; `None` if no end is forced.
pub const fn mate_distance(score: SearchScore) -> Option<i32> {
    if score >= LEAST_WIN {
        Some(WIN - score)
    } else if score <= -LEAST_WIN {
        Some(-(WIN + score))
    } else {
        None
    }
}

/// The bound type of a fail-soft score, given the window.
pub(crate) fn bound(score: SearchScore, alpha: SearchScore, beta: SearchScore) -> Option<Bound> {
    match score {
        _ if score >= beta => Some(Bound::Lower),
        _ if score > alpha => None,
        _ => Some(Bound::Upper),
    }
}

/// Converts a score found `plies` from the root for the transposition table, where a win or loss counts plies from the
/// position itself.
pub(crate) const fn score_to_tt(score: SearchScore, plies: usize) -> SearchScore {
    match mate_distance(score) {
        Some(n) if n > 0 => score + plies as SearchScore,
        Some(_) => score - plies as SearchScore,
        None => score,
    }
}

/// Converts a score from the transposition table; the inverse of [`score_to_tt`].
pub(crate) const fn score_from_tt(score: SearchScore, plies: usize) -> SearchScore {
    match mate_distance(score) {
        Some(n) if n > 0 => score - plies as SearchScore,
        Some(_) => score + plies as SearchScore,
        None => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nearer_win_and_a_farther_loss_score_higher() {
        assert!(win_in(1) > win_in(3));
        assert!(loss_in(4) > loss_in(2));
        assert!(win_in(MAX_PLY) > 20_000);
    }

    #[test]
    fn distances_read_back() {
        assert_eq!(mate_distance(win_in(7)), Some(7));
        assert_eq!(mate_distance(loss_in(6)), Some(-6));
        assert_eq!(mate_distance(loss_in(0)), Some(0));
        assert_eq!(mate_distance(19_999), None);
    }

    #[test]
    fn ends_count_from_the_position_in_the_table() {
        assert_eq!(score_to_tt(win_in(7), 3), win_in(4));
        assert_eq!(score_to_tt(loss_in(7), 3), loss_in(4));
        for score in [win_in(9), loss_in(8), 120, -3, DRAW] {
            assert_eq!(score_from_tt(score_to_tt(score, 5), 5), score);
        }
    }
}
