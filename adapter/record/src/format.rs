//! The format of a match, and shards of it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text_serde::serde_as_text;

/// One part of a match, `k/n`: every `n`th pair of games, starting with the `k`th.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Number of this part, from 1.
    pub number: usize,
    /// Number of parts.
    pub of: usize,
}

impl Shard {
    /// `true` if the pair of games with this number (from 1) belongs to this part.
    pub fn has_pair(&self, pair: usize) -> bool {
        (pair - 1) % self.of == self.number - 1
    }

    /// Counts the pairs of this part among the first `pairs` pairs.
    pub fn n_pairs(&self, pairs: usize) -> usize {
        (pairs + self.of - self.number) / self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        let shard = parts.map(|(number, of)| Shard { number, of });
        shard
            .filter(|shard| (1..=shard.of).contains(&shard.number) && shard.of <= MAX_SHARDS)
            .ok_or_else(|| {
                format!("expected K/N, as in 1/4, with K from 1 to N and N up to {MAX_SHARDS}")
            })
    }
}

serde_as_text!(Shard);

/// Largest number of parts of a match.
const MAX_SHARDS: usize = 1_000_000;

/// Largest number of rounds of a Swiss match.
pub const MAX_ROUNDS: usize = 1000;

/// The pairing system of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Each engine meets every other.
    #[default]
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
    /// Each round pairs engines with about equal scores.
    Swiss {
        /// Number of rounds.
        rounds: usize,
    },
    /// The loser of a meeting is eliminated: in ledgers of version 0.2, which are read and not played.
    Knockout,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Format::RoundRobin => f.write_str("round-robin"),
            Format::Gauntlet => f.write_str("gauntlet"),
            Format::Knockout => f.write_str("knockout"),
            Format::Swiss { rounds } => write!(f, "swiss:rounds={rounds}"),
        }
    }
}

impl Format {
    /// `true` if pairings depend on the results of earlier rounds.
    pub fn has_rounds(self) -> bool {
        matches!(self, Format::Swiss { .. })
    }
}
