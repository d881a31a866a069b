//! The statistics of a list of finished games.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use kit::Side;
use serde::Serialize;

use super::elo::{Elo, Interval};
use super::rating::{RatingCounter, Ratings};
use super::sample::{PairCounter, Pairs, Sample};
use super::tally::{Row, Tally, Wdl};
use crate::game::{GameRecord, GameResult};

/// If one side of the board wins at least this share of pairs, Elo has no meaning.
const FORCED: f64 = 0.95;

/// The statistics of a list of games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Results by player.
    pub tally: Tally,
    /// The results of each pairing, from the point of view of the player listed first.
    pub duels: Vec<Duel>,
    /// The score of the side that moved first.
    pub first_mover: FirstMover,
    /// The ratings of all players.
    pub ratings: Ratings,
    /// The number of different games.
    pub repeats: Repeats,
}

/// The results of two players against each other, from the first one's point of view.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Duel {
    /// The first player.
    pub player: String,
    /// The opponent.
    pub opponent: String,
    /// Results of all games.
    pub wdl: Wdl,
    /// The complete pairs.
    pub pairs: Pairs,
    /// The Elo difference from pairs if there are any, otherwise from single games; `None` if all observations are
    /// equal.
    pub elo: Option<Elo>,
}

impl Duel {
    /// `true` if one side of the board won both games of nearly every pair. Then that side probably has a forced win,
    /// and the games do not distinguish the players.
    pub fn is_forced(&self) -> bool {
        let total = self.pairs.total();
        total >= 4 && self.pairs.split as f64 >= FORCED * total as f64
    }

    /// The observations for Elo and SPRT: pairs if there are any, otherwise single games.
    pub fn sample(&self) -> Sample {
        self.pairs.sample(self.wdl)
    }
}

/// The score of the side that moved first, over all games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FirstMover {
    /// Its results.
    pub wdl: Wdl,
    /// The share of points, 0 to 1.
    pub score: Interval,
}

/// The number of different games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Repeats {
    /// Total number of games.
    pub games: u64,
    /// Number of distinct games.
    pub distinct: u64,
    /// Kish's effective sample size (L. Kish, "Survey Sampling", 1965): the squared number of games divided by the sum
    /// of the squared multiplicities.
    pub effective: f64,
}

impl Report {
    /// The players in descending order of their share of points.
    pub fn best_first(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.tally.rows.iter().collect();
        rows.sort_by(|a, b| b.share().total_cmp(&a.share()));
        rows
    }

    /// The points of a player against another and the number of their games; `None` if they have not met.
    pub fn points(&self, player: &str, opponent: &str) -> Option<(f64, u64)> {
        self.duels.iter().find_map(|duel| {
            let (games, score) = (duel.wdl.games(), duel.wdl.score());
            match (duel.player.as_str(), duel.opponent.as_str()) {
                names if names == (player, opponent) => Some((score, games)),
                names if names == (opponent, player) => Some((games as f64 - score, games)),
                _ => None,
            }
        })
    }
}

/// Counts games for a [`Report`]. It stores no games: its size depends only on the number of distinct games.
#[derive(Debug, Clone, Default)]
pub struct ReportCounter {
    tally: Tally,
    /// Results of the side that moved first.
    first: Wdl,
    /// By the indices of both players in the tally, the smaller one first.
    duels: BTreeMap<(usize, usize), DuelCounter>,
    ratings: RatingCounter,
    /// Number of occurrences of each game, by a hash of its opening position and moves.
    kinds: HashMap<u64, u64>,
}

/// The results of two players, from the point of view of the one listed first in the tally.
#[derive(Debug, Clone, Default)]
struct DuelCounter {
    wdl: Wdl,
    pairs: PairCounter,
}

impl ReportCounter {
    /// Creates a counter without games. Players not named here are added in the order of their first game.
    pub fn new(names: &[&str]) -> ReportCounter {
        ReportCounter {
            tally: Tally::new(names.iter().map(|name| (*name).to_owned())),
            ..ReportCounter::default()
        }
    }

    /// Begins a file: the games counted next belong to other pairs.
    pub fn begin_source(&mut self) {
        for duel in self.duels.values_mut() {
            duel.pairs.begin_source();
        }
    }

    /// Counts a game. Returns the side of the player from whose point of view its pairing is counted.
    pub fn count(&mut self, game: &GameRecord) -> Side {
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
        duel.pairs.count(game.into(), player);
        if game.result != GameResult::Unknown {
            let hasher = BuildHasherDefault::<DefaultHasher>::new();
            let kind = hasher.hash_one((&game.opening.fen, &game.moves));
            *self.kinds.entry(kind).or_default() += 1;
        }
        side
    }

    fn place(&self, name: &str) -> usize {
        let rows = &self.tally.rows;
        let place = rows.iter().position(|row| row.name == name);
        place.expect("the tally has counted the game")
    }

    /// The names of the players in the order of the tally.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.tally.rows.iter().map(|row| row.name.as_str())
    }

    /// The observations of the only pairing; `None` if there are several, or no games.
    pub fn only_duel(&self) -> Option<Sample> {
        let mut duels = self.duels.values();
        duels
            .next()
            .filter(|_| duels.len() == 0)
            .map(|duel| duel.pairs.pairs.sample(duel.wdl))
    }

    /// Computes the ratings of all players.
    pub fn ratings(&self) -> Ratings {
        self.ratings.ratings()
    }

    /// Computes the statistics of the games counted so far. Players without games are omitted.
    pub fn report(&self) -> Report {
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
            first_mover: FirstMover {
                wdl: self.first,
                score: Interval::of_mean(&Sample::of_games(self.first)),
            },
            ratings: self.ratings(),
            repeats: repeats(self.kinds.values().copied()),
            tally,
        }
    }
}

/// Computes the repetitions from the number of occurrences of each distinct game.
fn repeats(counts: impl Iterator<Item = u64> + Clone) -> Repeats {
    let total: u64 = counts.clone().sum();
    let squares: u64 = counts.clone().map(|count| count * count).sum();
    Repeats {
        games: total,
        distinct: counts.count() as u64,
        effective: match squares {
            0 => 0.0,
            _ => (total * total) as f64 / squares as f64,
        },
    }
}
