//! Where openings come from, as a plan says it.

use std::path::PathBuf;

use kit::Rejection;
use serde::{Deserialize, Serialize};

use super::{Balance, Opening};
use crate::plan::MAX_LISTED;
use crate::registry::Rules;

/// Where openings come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningSource {
    /// Every game begins at the start position.
    None,
    /// Random legal moves.
    Random {
        /// How many.
        plies: usize,
    },
    /// Random legal moves after which a search finds neither side ahead.
    Balanced(Balance),
    /// A book: a tree of moves with weights.
    Book {
        /// An absolute path.
        path: PathBuf,
        /// How many moves are played at most; `None` for all.
        plies: Option<usize>,
    },
    /// A file of openings.
    File {
        /// An absolute path.
        path: PathBuf,
        /// Whether they are shuffled, with the plan's seed.
        is_shuffled: bool,
        /// The number of the first opening to use, from 1.
        start: usize,
        /// How many moves of each are played; `None` for all.
        plies: Option<usize>,
    },
}

impl OpeningSource {
    /// Draws the opening of this index; `None` where openings are not drawn. It depends on the seed and the index alone.
    pub fn draw(&self, rules: &Rules, seed: u64, index: u64) -> Option<Result<Opening, Rejection>> {
        match self {
            OpeningSource::Random { plies } => Some(Opening::random(rules, *plies, seed, index)),
            OpeningSource::Balanced(balance) => Some(balance.draw(rules, seed, index)),
            OpeningSource::None | OpeningSource::Book { .. } | OpeningSource::File { .. } => None,
        }
    }

    /// How many openings of this kind a plan lists at most: a search takes its time before the first game.
    pub fn max_listed(&self) -> usize {
        match self {
            OpeningSource::Balanced(_) => 100,
            _ => MAX_LISTED,
        }
    }
}
