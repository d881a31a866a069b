//! The standing of a match, and the results by player and pairing that it comes from.

use std::collections::{BTreeMap, BTreeSet};

use kit::Side;
use serde::{Deserialize, Serialize};

use super::elo::{Elo, Interval};
use super::faults::{FaultCounts, Faults};
use super::prefix::SprtCounter;
use super::rating::{RatingCounter, Ratings};
use super::report::{Duel, FirstMover, Repeats, Report};
use super::sample::{PairCounter, Sample};
use super::sample::{Tally, Wdl};
use super::sprt::{Sprt, SprtStatus};
use crate::game::GameRecord;
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

/// Counts results. It stores no games.
#[derive(Debug, Clone)]
pub(super) struct Counter {
    tally: Tally,
    /// Results of the side that moved first.
    first: Wdl,
    /// By the indices of both players in the tally, the smaller one first.
    duels: BTreeMap<(usize, usize), DuelCounter>,
    ratings: RatingCounter,
    sprt: Option<SprtCounter>,
    swaps: bool,
}

/// The results of two players, from the point of view of the one listed first in the tally.
#[derive(Debug, Clone, Default)]
struct DuelCounter {
    wdl: Wdl,
    pairs: PairCounter,
}

impl Counter {
    /// Creates a counter without games. Players not named here are added in the order of their first game.
    pub(super) fn new(names: &[&str], sprt: Option<Sprt>) -> Counter {
        Counter {
            tally: Tally::new(names.iter().map(|name| (*name).to_owned())),
            first: Wdl::default(),
            duels: BTreeMap::new(),
            ratings: RatingCounter::default(),
            sprt: sprt.map(SprtCounter::new),
            swaps: true,
        }
    }

    /// Begins a file: the games counted next belong to this match and to other pairs. `None` for a file without a plan.
    pub(super) fn begin_source(&mut self, plan: Option<&Plan>) {
        for duel in self.duels.values_mut() {
            duel.pairs.begin_source();
        }
        if let Some(sprt) = &mut self.sprt {
            sprt.begin_source(plan);
        }
        self.swaps = plan.is_none_or(|plan| plan.swaps);
    }

    /// Counts a game.
    pub(super) fn count(&mut self, game: &GameRecord) {
        self.tally.count(game);
        self.first = self.first.plus(Wdl::of(game.result, game.first));
        self.ratings.count(game);
        let (first, second) = (self.place(&game.p1), self.place(&game.p2));
        let key = (first.min(second), first.max(second));
        let (player, side) = match first <= second {
            true => (&game.p1, Side::P1),
            false => (&game.p2, Side::P2),
        };
        let duel = self.duels.entry(key).or_default();
        duel.wdl = duel.wdl.plus(Wdl::of(game.result, side));
        duel.pairs.count(game, player);
        if let Some(sprt) = &mut self.sprt {
            sprt.count(game, side);
        }
    }

    /// The index of a player who has played.
    pub(super) fn place(&self, name: &str) -> usize {
        let rows = &self.tally.rows;
        let place = rows.iter().position(|row| row.name == name);
        place.expect("the tally has counted the game")
    }

    /// The names of the players in the order of the tally.
    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.tally.rows.iter().map(|row| row.name.as_str())
    }

    /// The observations of the only pairing; `None` if there are several, or no games.
    pub(super) fn only_duel(&self) -> Option<Sample> {
        let mut duels = self.duels.values();
        duels
            .next()
            .filter(|_| duels.len() == 0)
            .map(|duel| duel.pairs.pairs.sample(duel.wdl))
    }

    /// Computes the ratings of all players.
    pub(super) fn ratings(&self) -> Ratings {
        self.ratings.ratings()
    }

    /// The status of the SPRT over the pairs in schedule order.
    pub(super) fn sprt(&self) -> Option<SprtStatus> {
        self.sprt.as_ref().map(SprtCounter::status)
    }

    /// The standing after a number of games, `total` of which are planned.
    pub(super) fn standing(&self, games: usize, total: usize, faults: &Faults) -> Standing {
        let duel = self.duels.values().next();
        let duel = duel.filter(|_| self.tally.rows.len() == 2);
        // Only complete pairs count if sides are swapped.
        let sample = |duel: &DuelCounter| match self.swaps {
            true => Sample::of_pairs(duel.pairs.pairs.counts),
            false => Sample::of_games(duel.wdl),
        };
        Standing {
            games,
            total,
            tally: self.tally.clone(),
            elo: duel.and_then(|duel| Elo::of(&sample(duel))),
            first_mover: (self.first.games() > 0).then(|| self.first_mover().score),
            sprt: self.sprt(),
            faults: faults.sum(),
            disagreements: faults.disagreements,
        }
    }

    fn first_mover(&self) -> FirstMover {
        FirstMover {
            wdl: self.first,
            score: Interval::of_mean(&Sample::of_games(self.first)),
        }
    }

    /// Computes the statistics of the games counted so far. Players without games are omitted.
    pub(super) fn report(&self, repeats: Repeats) -> Report {
        let met: BTreeSet<usize> = self.duels.keys().flat_map(|key| [key.0, key.1]).collect();
        let tally = Tally {
            rows: met
                .iter()
                .map(|&place| self.tally.rows[place].clone())
                .collect(),
            unknown: self.tally.unknown,
        };
        let duel = |(&(first, second), counter): (&(usize, usize), &DuelCounter)| Duel {
            player: self.tally.rows[first].name.clone(),
            opponent: self.tally.rows[second].name.clone(),
            wdl: counter.wdl,
            pairs: counter.pairs.pairs,
            elo: Elo::of(&counter.pairs.pairs.sample(counter.wdl)),
        };
        Report {
            duels: self.duels.iter().map(duel).collect(),
            first_mover: self.first_mover(),
            ratings: self.ratings(),
            repeats,
            tally,
        }
    }
}
