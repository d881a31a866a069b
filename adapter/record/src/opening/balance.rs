//! Balanced random openings: a search finds neither side ahead.

use kit::Rejection;
use serde::{Deserialize, Serialize};

use super::position::Opening;
use super::random::{draw, generator};
use crate::registry::Rules;

/// The criterion for balanced random openings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Balance {
    /// Number of random legal moves.
    pub plies: usize,
    /// Largest score of either side, in hundredths of the game's unit.
    pub score: u32,
    /// Node limit of the built-in engine's search.
    pub nodes: u64,
}

impl Balance {
    /// Number of candidates for one opening.
    pub const CANDIDATES: usize = 50;

    /// Largest number of nodes, since a match starts only after the search of its openings.
    const MAX_NODES: u64 = 10_000_000;

    /// Checks the node limit.
    ///
    /// # Errors
    /// The text names the expected range.
    pub fn check(&self) -> Result<(), String> {
        let (nodes, most) = (self.nodes, Balance::MAX_NODES);
        (1..=most)
            .contains(&nodes)
            .then_some(())
            .ok_or_else(|| format!("nodes={nodes}: expected 1 to {most} for balanced openings"))
    }

    /// Draws random openings and returns the first whose score is within the bound, or the one closest to 0 if no
    /// candidate is. Depends only on `seed` and `index`.
    ///
    /// # Errors
    /// Nearly every game ends within this number of plies.
    pub fn draw(&self, rules: &Rules, seed: u64, index: u64) -> Result<Opening, Rejection> {
        let mut rng = generator(seed, index);
        let mut nearest: Option<(u32, Opening)> = None;
        for _ in 0..Balance::CANDIDATES {
            let opening = draw(rules, self.plies, &mut rng)?;
            let distance = rules.score(&opening, self.nodes)?.unsigned_abs();
            if nearest.as_ref().is_none_or(|(least, _)| distance < *least) {
                nearest = Some((distance, opening));
            }
            if distance <= self.score {
                break;
            }
        }
        let (_, opening) = nearest.expect("there is a candidate");
        Ok(opening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::rules;

    #[test]
    fn the_nearest_of_the_candidates_is_taken_where_none_is_within_the_bound() {
        let rules = rules();
        // Nim has only wins and losses: no candidate is within a bound of 0, and all are within `u32::MAX`.
        let decided = Balance {
            plies: 2,
            score: 0,
            nodes: 5000,
        };
        let any = Balance {
            score: u32::MAX,
            ..decided
        };
        let score = |opening: &Opening| {
            let score = rules.score(opening, 5000).expect("the game goes on");
            score.unsigned_abs()
        };
        for index in 0..5 {
            let opening = decided.draw(&rules, 3, index).expect("an opening");
            assert_eq!(Ok(opening.clone()), decided.draw(&rules, 3, index));
            let first = any.draw(&rules, 3, index).expect("an opening");
            assert_eq!(first, Opening::random(&rules, 2, 3, index).expect("one"));
            assert!(score(&opening) <= score(&first));
        }
    }
}
