//! Where openings come from, as a plan says it.

use std::path::PathBuf;

use kit::Rejection;
use serde::{Deserialize, Serialize};

use super::balance::Balance;
use super::position::Opening;
use crate::registry::Rules;

/// A source of openings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

    /// Largest number of openings of this source to list in a plan. Balanced ones take a search each, before the first
    /// game.
    pub fn max_listed(&self) -> usize {
        match self {
            OpeningSource::Balanced(_) => 100,
            _ => MAX_LISTED,
        }
    }
}

/// Largest number of openings listed in a plan.
pub const MAX_LISTED: usize = 10_000;
