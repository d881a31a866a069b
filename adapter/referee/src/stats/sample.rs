//! Frequencies of scores: three classes for games (loss, draw, win), five for pairs.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Wdl;
use crate::record::{GameRecord, GameResult};

/// Frequencies of equally spaced scores from 0 to 1, the lowest first: three of them for games, five for pairs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Sample {
    counts: Vec<u64>,
}

impl Sample {
    /// Losses, draws and wins.
    pub fn of_games(wdl: Wdl) -> Sample {
        Sample {
            counts: vec![wdl.losses, wdl.draws, wdl.wins],
        }
    }

    /// Pairs that scored 0, ½, 1, 1½ and 2 points.
    pub fn of_pairs(counts: [u64; 5]) -> Sample {
        Sample {
            counts: counts.to_vec(),
        }
    }

    /// The frequency of each score, the lowest first.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Games that make one observation: 1 or 2.
    pub(super) fn games_each(&self) -> f64 {
        (self.counts.len() - 1) as f64 / 2.0
    }

    /// Number of observations.
    pub fn total(&self) -> f64 {
        self.counts.iter().sum::<u64>() as f64
    }

    /// Whether some score has frequency 0.
    pub fn has_gaps(&self) -> bool {
        self.counts.contains(&0)
    }

    /// Score and share of each class, shares summing to 1.
    pub(super) fn shares(&self) -> Vec<(f64, f64)> {
        self.weighted(self.counts.iter().map(|&count| count as f64).collect())
    }

    /// As [`shares`](Sample::shares), with frequency 0 replaced by 0.001, so that no likelihood
    /// is zero.
    pub(super) fn regularised(&self) -> (f64, Vec<(f64, f64)>) {
        const NEARLY_NONE: f64 = 1e-3;
        let weight = |&count: &u64| {
            if count == 0 {
                NEARLY_NONE
            } else {
                count as f64
            }
        };
        let weights: Vec<f64> = self.counts.iter().map(weight).collect();
        (weights.iter().sum(), self.weighted(weights))
    }

    fn weighted(&self, weights: Vec<f64>) -> Vec<(f64, f64)> {
        let total: f64 = weights.iter().sum();
        let top = (weights.len() - 1) as f64;
        let share = |(index, weight)| (index as f64 / top, weight / total);
        weights.into_iter().enumerate().map(share).collect()
    }
}

/// Mean and variance of scores with their shares.
pub(super) fn moments(shares: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = shares.iter().map(|(score, share)| score * share).sum();
    let square = |(score, share): &(f64, f64)| share * (score - mean).powi(2);
    (mean, shares.iter().map(square).sum())
}

/// The finished game pairs of two players, from one player's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Pairs {
    /// Pairs that scored 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
    /// Of those that brought 1 point, how many were a win and a loss.
    pub split: u64,
}

impl Pairs {
    pub(super) fn count(&mut self, first: usize, second: usize) {
        self.counts[first + second] += 1;
        self.split += u64::from(first.abs_diff(second) == 2);
    }

    /// Number of pairs.
    pub fn total(self) -> u64 {
        self.counts.iter().sum()
    }
}

/// Counts pairs as their games end, in any order.
#[derive(Debug, Clone, Default)]
pub(super) struct PairCounter {
    /// Half points of the first finished game of an incomplete pair, by the pair's number.
    open: BTreeMap<usize, usize>,
    pub(super) pairs: Pairs,
}

impl PairCounter {
    /// Games counted from now on are of other pairs: what is incomplete stays so.
    pub(super) fn begin_source(&mut self) {
        self.open.clear();
    }

    /// Counts a game from the side of `player`; games without a result leave their pair incomplete.
    pub(super) fn count(&mut self, game: &GameRecord, player: &str) {
        if game.result == GameResult::Unknown {
            return;
        }
        let halves = Wdl::of(game.result, game.side_of(player)).halves();
        match self.open.remove(&game.pair) {
            None => drop(self.open.insert(game.pair, halves)),
            Some(first) => self.pairs.count(first, halves),
        }
    }
}
