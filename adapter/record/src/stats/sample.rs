//! Frequencies of scores: three classes for single games (trinomial), five for pairs (pentanomial).

use std::collections::BTreeMap;

use serde::Serialize;

use super::tally::Wdl;
use crate::finished::Finished;
use crate::game::GameResult;

/// Frequencies of equally spaced scores from 0 to 1 in ascending order: three for single games, five for pairs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Sample {
    counts: Vec<u64>,
}

impl Sample {
    /// A sample of single games, as losses, draws and wins.
    pub fn of_games(wdl: Wdl) -> Sample {
        Sample {
            counts: vec![wdl.losses, wdl.draws, wdl.wins],
        }
    }

    /// A sample of pairs that scored 0, ½, 1, 1½ and 2 points.
    pub fn of_pairs(counts: [u64; 5]) -> Sample {
        Sample {
            counts: counts.to_vec(),
        }
    }

    /// The frequency of each score, in ascending order of scores.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Number of games in one observation: 1 or 2.
    pub(super) fn games_each(&self) -> f64 {
        (self.counts.len() - 1) as f64 / 2.0
    }

    /// Number of observations.
    pub fn total(&self) -> f64 {
        self.counts.iter().sum::<u64>() as f64
    }

    /// `true` if a score has frequency 0.
    pub fn has_gaps(&self) -> bool {
        self.counts.contains(&0)
    }

    /// The score and the share of each class. The shares add up to 1.
    pub(super) fn shares(&self) -> Vec<(f64, f64)> {
        self.weighted(self.counts.iter().map(|&count| count as f64).collect())
    }

    /// Like [`shares`](Sample::shares), with frequencies of 0 replaced by 0.001 as in fastchess, so that no likelihood
    /// is zero. Also returns the total of the frequencies.
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

/// Mean and variance of a distribution given as scores with their shares.
pub(super) fn moments(shares: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = shares.iter().map(|(score, share)| score * share).sum();
    let square = |(score, share): &(f64, f64)| share * (score - mean).powi(2);
    (mean, shares.iter().map(square).sum())
}

/// The finished pairs of two players, from one player's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Pairs {
    /// Pairs that scored 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
    /// Number of 1-point pairs that consist of a win and a loss.
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

    /// These pairs if there are any, otherwise single games.
    pub(super) fn sample(self, games: Wdl) -> Sample {
        match self.total() {
            0 => Sample::of_games(games),
            _ => Sample::of_pairs(self.counts),
        }
    }
}

/// Counts pairs from games in any order.
#[derive(Debug, Clone, Default)]
pub(super) struct PairCounter {
    /// Half points of the first finished game of each incomplete pair, by pair number.
    open: BTreeMap<usize, usize>,
    pub(super) pairs: Pairs,
}

impl PairCounter {
    /// Begins a new file: pair numbers start again, and incomplete pairs remain incomplete.
    pub(super) fn begin_source(&mut self) {
        self.open.clear();
    }

    /// Counts a game from `player`'s point of view. A game without a result leaves its pair incomplete.
    pub(super) fn count(&mut self, game: Finished<'_>, player: &str) {
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
