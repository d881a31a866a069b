//! The standing of a running match.

use serde::{Deserialize, Serialize};

use super::elo::{Elo, Interval};
use super::faults::FaultCounts;
use super::prefix::SprtCounter;
use super::sample::{PairCounter, Sample};
use super::sprt::SprtStatus;
use super::tally::{Tally, Wdl};
use crate::finished::Finished;
use crate::game::Termination;
use crate::plan::Plan;

/// The standing of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Number of finished games.
    pub games: usize,
    /// Number of games in the whole match.
    pub total: usize,
    /// Results by player.
    pub tally: Tally,
    /// The Elo difference of two engines, from the first one's point of view; `None` for more engines, or if all
    /// results are equal.
    pub elo: Option<Elo>,
    /// The share of points of the side that moved first.
    pub first_mover: Option<Interval>,
    /// The state of the SPRT, if there is one.
    pub sprt: Option<SprtStatus>,
    /// Games lost by faults, summed over all engines.
    #[serde(default)]
    pub faults: FaultCounts,
    /// Games whose result the engines disagreed about.
    #[serde(default)]
    pub disagreements: u64,
}

impl Standing {
    /// `true` if an engine broke the rules or the protocol, crashed, hung, or disagreed about a result. Losses on time
    /// do not count.
    pub fn has_unsound_engine(&self) -> bool {
        self.faults.illegal + self.faults.abandoned + self.disagreements > 0
    }
}

/// Counts the games of a match as they finish.
#[derive(Debug, Clone)]
pub struct Counter {
    tally: Tally,
    pairs: PairCounter,
    swaps: bool,
    /// Results of the side that moved first.
    first: Wdl,
    /// The SPRT of the match, if any.
    sprt: Option<SprtCounter>,
    faults: FaultCounts,
    disagreements: u64,
}

impl Counter {
    /// Starts counting a match.
    pub fn of(plan: &Plan) -> Counter {
        let sprt = |test| {
            let mut counter = SprtCounter::new(test);
            counter.begin_source(Some(plan));
            counter
        };
        Counter {
            tally: Tally::new(plan.names()),
            pairs: PairCounter::default(),
            swaps: plan.swaps,
            first: Wdl::default(),
            sprt: plan.sprt.map(sprt),
            faults: FaultCounts::default(),
            disagreements: 0,
        }
    }

    /// Counts a game.
    pub fn count<'a>(&mut self, game: impl Into<Finished<'a>>) {
        let record = game.into();
        self.tally.count(record);
        self.first = self.first.plus(Wdl::of(record.result, record.first));
        self.faults.count(record.termination);
        self.disagreements += u64::from(record.termination == Termination::Disagreement);
        if let Some(row) = self.tally.rows.first() {
            self.pairs.count(record, &row.name);
            if let Some(sprt) = &mut self.sprt {
                sprt.count(record, record.side_of(&row.name));
            }
        }
    }

    /// The status of the SPRT over the pairs in schedule order.
    pub fn sprt(&self) -> Option<SprtStatus> {
        self.sprt.as_ref().map(SprtCounter::status)
    }

    /// The observations of a match between two engines: complete pairs, or single games if sides are not swapped.
    pub fn sample(&self) -> Sample {
        match self.swaps {
            true => Sample::of_pairs(self.pairs.pairs.counts),
            false => Sample::of_games(self.tally.rows[0].total()),
        }
    }

    /// The current standing.
    pub fn standing(&self, games: usize, total: usize) -> Standing {
        let is_duel = self.tally.rows.len() == 2;
        Standing {
            games,
            total,
            tally: self.tally.clone(),
            elo: if is_duel {
                Elo::of(&self.sample())
            } else {
                None
            },
            first_mover: (self.first.games() > 0)
                .then(|| Interval::of_mean(&Sample::of_games(self.first))),
            sprt: self.sprt(),
            faults: self.faults,
            disagreements: self.disagreements,
        }
    }
}
