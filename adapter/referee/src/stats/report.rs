//! The statistics of a list of finished games.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use serde::Serialize;

use super::sample::PairCounter;
use super::{Elo, Interval, Pairs, RatingCounter, Ratings, Row, Sample, Tally, Wdl};
use crate::record::{GameRecord, GameResult};

/// If one side of the board wins at least this share of pairs, Elo is meaningless.
const FORCED: f64 = 0.95;

/// The numbers of a list of games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Results by player.
    pub tally: Tally,
    /// One per pair of players who met, each from the side of the player who is named first.
    pub duels: Vec<Duel>,
    /// The score of the player who moves first.
    pub first_mover: FirstMover,
    /// Ratings of all.
    pub ratings: Ratings,
    /// The number of different games.
    pub repeats: Repeats,
}

/// The results of two players against each other, from the first one's side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Duel {
    /// The first player.
    pub player: String,
    /// The opponent.
    pub opponent: String,
    /// All games.
    pub wdl: Wdl,
    /// Complete pairs.
    pub pairs: Pairs,
    /// The Elo difference by pairs if there are any, else by games; `None` if all observations are equal.
    pub elo: Option<Elo>,
}

impl Duel {
    /// Whether the same side of the board won both games of nearly all pairs. Then that side wins by force, and
    /// the games do not separate the players.
    pub fn is_forced(&self) -> bool {
        let total = self.pairs.total();
        total >= 4 && self.pairs.split as f64 >= FORCED * total as f64
    }

    /// The observations for Elo and SPRT: pairs if there are any, else games.
    pub fn sample(&self) -> Sample {
        sample(self.wdl, self.pairs)
    }
}

/// The score of player 1 over all games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FirstMover {
    /// Results of player 1.
    pub wdl: Wdl,
    /// The share of points, 0 to 1.
    pub score: Interval,
}

/// The number of different games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Repeats {
    /// Games in all.
    pub games: u64,
    /// Games that differ from all earlier ones.
    pub distinct: u64,
    /// Kish's effective sample size: the squared number of games over the sum of the squared multiplicities.
    pub effective: f64,
}

impl Report {
    /// The numbers of these games; pairs of different `sources` (files) are different pairs. `names` gives the order of
    /// the players; others follow in the order of the schedule, whichever game was over first.
    pub fn of(sources: &[Vec<GameRecord>], names: &[&str]) -> Report {
        let mut counter = ReportCounter::new(&in_order(sources, names));
        for games in sources {
            counter.begin_source();
            games.iter().for_each(|game| counter.count(game));
        }
        counter.report()
    }

    /// The players, those with the largest share of points first.
    pub fn best_first(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.tally.rows.iter().collect();
        rows.sort_by(|a, b| b.share().total_cmp(&a.share()));
        rows
    }

    /// The points of a player against another, and their games; `None` if they have not met.
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

/// These names, and after them all other players of some games in the order of the schedule.
pub(super) fn in_order<'a>(sources: &'a [Vec<GameRecord>], names: &[&'a str]) -> Vec<&'a str> {
    let mut ordered = names.to_vec();
    for games in sources {
        let mut games: Vec<&GameRecord> = games.iter().collect();
        games.sort_by_key(|game| game.game);
        for name in games.iter().flat_map(|game| [&game.p1, &game.p2]) {
            if !ordered.contains(&name.as_str()) {
                ordered.push(name);
            }
        }
    }
    ordered
}

/// Counts games for a [`Report`] as they end. It keeps no game, so its size depends on the number of different games alone.
#[derive(Debug, Clone, Default)]
pub struct ReportCounter {
    tally: Tally,
    /// By the places of both players in the tally, the smaller first.
    duels: BTreeMap<(usize, usize), DuelCounter>,
    ratings: RatingCounter,
    /// How often each game was played, by a hash of its opening position and its moves.
    kinds: HashMap<u64, u64>,
}

/// The results of two players against each other, from the side of the one who comes first in the tally.
#[derive(Debug, Clone, Default)]
struct DuelCounter {
    wdl: Wdl,
    pairs: PairCounter,
}

impl ReportCounter {
    /// No games yet. Players who are not named here follow in the order in which they are counted.
    pub fn new(names: &[&str]) -> ReportCounter {
        ReportCounter {
            tally: Tally::new(names.iter().map(|name| (*name).to_owned())),
            ..ReportCounter::default()
        }
    }

    /// Games counted from now on belong to another file: their pairs are other pairs.
    pub fn begin_source(&mut self) {
        for duel in self.duels.values_mut() {
            duel.pairs.begin_source();
        }
    }

    /// Counts a game.
    pub fn count(&mut self, game: &GameRecord) {
        self.tally.count(game);
        self.ratings.count(game);
        let (first, second) = (self.place(&game.p1), self.place(&game.p2));
        let key = (first.min(second), first.max(second));
        let (player, side) = match first <= second {
            true => (&game.p1, kit::Side::P1),
            false => (&game.p2, kit::Side::P2),
        };
        let duel = self.duels.entry(key).or_default();
        duel.wdl = duel.wdl.plus(Wdl::of(game.result, side));
        duel.pairs.count(game, player);
        if game.result != GameResult::Unknown {
            let hasher = BuildHasherDefault::<DefaultHasher>::new();
            let kind = hasher.hash_one((&game.opening.fen, &game.moves));
            *self.kinds.entry(kind).or_default() += 1;
        }
    }

    fn place(&self, name: &str) -> usize {
        let rows = &self.tally.rows;
        let place = rows.iter().position(|row| row.name == name);
        place.expect("the tally has counted the game")
    }

    /// The players, in the order of the tally.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.tally.rows.iter().map(|row| row.name.as_str())
    }

    /// The observations of the only two players who met; `None` if others met as well, or nobody.
    pub fn only_duel(&self) -> Option<Sample> {
        let mut duels = self.duels.values();
        duels
            .next()
            .filter(|_| duels.len() == 0)
            .map(DuelCounter::sample)
    }

    /// The ratings of all players so far.
    pub fn ratings(&self) -> Ratings {
        self.ratings.ratings()
    }

    /// The numbers of the games counted so far. Players who have not played are left out.
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
            elo: Elo::of(&counter.sample()),
        };
        Report {
            duels: self.duels.iter().map(duel).collect(),
            first_mover: first_mover(&tally),
            ratings: self.ratings(),
            repeats: repeats(self.kinds.values().copied()),
            tally,
        }
    }
}

impl DuelCounter {
    fn sample(&self) -> Sample {
        sample(self.wdl, self.pairs.pairs)
    }
}

/// Pairs if there are any, else games.
fn sample(wdl: Wdl, pairs: Pairs) -> Sample {
    match pairs.total() {
        0 => Sample::of_games(wdl),
        _ => Sample::of_pairs(pairs.counts),
    }
}

fn first_mover(tally: &Tally) -> FirstMover {
    let as_p1 = tally.rows.iter().map(|row| row.as_p1);
    let wdl = as_p1.fold(Wdl::default(), Wdl::plus);
    FirstMover {
        wdl,
        score: Interval::of_mean(&Sample::of_games(wdl)),
    }
}

/// From how often each different game was played.
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
