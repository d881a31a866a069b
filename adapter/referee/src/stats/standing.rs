//! How a match stands while it is played.

use serde::{Deserialize, Serialize};

use super::sample::PairCounter;
use super::{Elo, Interval, Sample, Sprt, SprtStatus, Tally, Wdl};
use crate::record::GameRecord;

/// How a match stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Games finished.
    pub games: usize,
    /// Games to be played in all.
    pub total: usize,
    /// Who won how often.
    pub tally: Tally,
    /// The difference of two engines, seen by the first; `None` for more of them, or without any spread.
    pub elo: Option<Elo>,
    /// What the results of player 1 are, as the share of points.
    pub first_mover: Option<Interval>,
    /// How the test stands, where there is one.
    pub sprt: Option<SprtStatus>,
}

/// Counts the games of a match as they come in.
#[derive(Debug, Clone)]
pub struct Counter {
    tally: Tally,
    pairs: PairCounter,
    swaps: bool,
}

impl Counter {
    /// No games yet of these players; `swaps` if they come in pairs with sides swapped.
    pub fn new(names: impl IntoIterator<Item = String>, swaps: bool) -> Counter {
        Counter {
            tally: Tally::new(names),
            pairs: PairCounter::default(),
            swaps,
        }
    }

    /// Counts a game.
    pub fn count(&mut self, record: &GameRecord) {
        self.tally.count(record);
        if let Some(row) = self.tally.rows.first() {
            self.pairs.count(record, &row.name);
        }
    }

    /// The observations of a match between two: complete pairs, or games where sides are not swapped.
    pub fn sample(&self) -> Sample {
        match self.swaps {
            true => Sample::of_pairs(self.pairs.pairs.counts),
            false => Sample::of_games(self.tally.rows[0].total()),
        }
    }

    /// How the match stands.
    pub fn standing(&self, games: usize, total: usize, sprt: Option<Sprt>) -> Standing {
        let is_duel = self.tally.rows.len() == 2;
        let first = self
            .tally
            .rows
            .iter()
            .fold(Wdl::default(), |sum, row| sum.plus(row.as_p1));
        Standing {
            games,
            total,
            tally: self.tally.clone(),
            elo: if is_duel {
                Elo::of(&self.sample())
            } else {
                None
            },
            first_mover: (first.games() > 0).then(|| Interval::of_mean(&Sample::of_games(first))),
            sprt: sprt.map(|sprt| sprt.status(&self.sample())),
        }
    }
}
