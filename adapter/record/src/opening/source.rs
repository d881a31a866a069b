//! The source of openings in a plan: files, random moves, and random moves after which neither side is ahead.

use std::path::PathBuf;

use fastrand::Rng;
use kit::Rejection;
use serde::{Deserialize, Serialize};

use super::Opening;
use crate::ensure;
use crate::registry::Rules;

/// A source of openings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OpeningSource {
    /// Every game starts from the start position.
    None,
    /// Random legal moves.
    Random {
        /// Number of moves.
        plies: usize,
    },
    /// Random legal moves after which a search finds the position balanced.
    Balanced(Balance),
    /// A book: a tree of weighted moves.
    Book {
        /// An absolute path.
        path: PathBuf,
        /// Largest number of moves played from the book; `None` for all.
        plies: Option<usize>,
    },
    /// A file of openings.
    File {
        /// An absolute path.
        path: PathBuf,
        /// `true` if the openings are shuffled with the plan's seed.
        is_shuffled: bool,
        /// Number of the first opening to use, from 1.
        start: usize,
        /// Largest number of moves played of each opening; `None` for all.
        plies: Option<usize>,
    },
}

impl OpeningSource {
    /// Draws the opening of this index; `None` for sources that are not random. Depends only on the seed and the index.
    pub fn draw(&self, rules: &Rules, seed: u64, index: u64) -> Option<Result<Opening, Rejection>> {
        match self {
            OpeningSource::Random { plies } => Some(Opening::random(rules, *plies, seed, index)),
            OpeningSource::Balanced(balance) => Some(balance.draw(rules, seed, index)),
            OpeningSource::None | OpeningSource::Book { .. } | OpeningSource::File { .. } => None,
        }
    }
}

/// Largest number of openings listed in a plan.
pub const MAX_LISTED: usize = 10_000;

/// Number of candidates for one balanced opening.
const CANDIDATES: usize = 50;

/// Largest number of nodes, since a match starts only after the search of its openings.
const MAX_NODES: u64 = 10_000_000;

/// The criterion for balanced random openings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Balance {
    /// Number of random legal moves.
    pub plies: usize,
    /// Largest score of either side, in hundredths of the game's unit.
    pub score: u32,
    /// Node limit of the built-in engine's search.
    pub nodes: u64,
}

impl Balance {
    /// Checks the node limit.
    ///
    /// # Errors
    /// The text names the expected range.
    pub fn check(&self) -> Result<(), String> {
        let Balance { nodes, .. } = self;
        ensure!(
            (1..=MAX_NODES).contains(nodes),
            "nodes={nodes}: choose 1 to {MAX_NODES} for balanced openings"
        );
        Ok(())
    }

    /// Draws random openings and returns the first whose score is within the bound, or the one closest to 0 if no
    /// candidate is. Depends only on `seed` and `index`.
    ///
    /// # Errors
    /// Nearly every game ends within this number of plies.
    pub fn draw(&self, rules: &Rules, seed: u64, index: u64) -> Result<Opening, Rejection> {
        let mut rng = generator(seed, index);
        let (mut least, mut nearest) = (u32::MAX, Opening::default());
        for attempt in 0..CANDIDATES {
            let opening = draw(rules, self.plies, &mut rng)?;
            let distance = rules.score(&opening, self.nodes)?.unsigned_abs();
            if attempt == 0 || distance < least {
                (least, nearest) = (distance, opening);
            }
            if least <= self.score {
                break;
            }
        }
        Ok(nearest)
    }
}

impl Opening {
    /// Draws `plies` random legal moves that do not end the game. Depends only on `seed` and `index`.
    ///
    /// # Errors
    /// Nearly every game ends within this number of plies.
    pub fn random(
        rules: &Rules,
        plies: usize,
        seed: u64,
        index: u64,
    ) -> Result<Opening, Rejection> {
        draw(rules, plies, &mut generator(seed, index))
    }
}

/// The random number generator of one opening.
pub fn generator(seed: u64, index: u64) -> Rng {
    Rng::with_seed(seed ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Draws random legal moves that do not end the game.
fn draw(rules: &Rules, plies: usize, rng: &mut Rng) -> Result<Opening, Rejection> {
    const ATTEMPTS: usize = 1000;
    for _ in 0..ATTEMPTS {
        let mut board = rules.start();
        let mut moves = Vec::new();
        while moves.len() < plies
            && let Some(code) = rng.choice(board.moves())
        {
            moves.push(board.play(&code)?);
        }
        if let Some(why) = board.fault() {
            return Err(Rejection(why));
        }
        if moves.len() == plies && board.outcome().is_none() {
            return Ok(Opening { fen: None, moves });
        }
    }
    Err(Rejection(format!(
        "no game lasts {plies} random plies: choose fewer"
    )))
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
