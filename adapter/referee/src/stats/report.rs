//! The statistics of a list of finished games.

use std::collections::BTreeMap;

use serde::Serialize;

use super::sample::PairCounter;
use super::{Elo, Interval, Pairs, Ratings, Sample, Tally, Wdl, rate};
use crate::record::{GameRecord, GameResult};

/// If one side of the board wins at least this share of pairs, Elo is meaningless.
const FORCED: f64 = 0.95;

/// The numbers of a list of games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Results by player.
    pub tally: Tally,
    /// One per pair of players, in the order of their first game.
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
        match self.pairs.total() {
            0 => Sample::of_games(self.wdl),
            _ => Sample::of_pairs(self.pairs.counts),
        }
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
    /// The numbers of these games; pairs of different `sources` (files) are different pairs. Players are named in the
    /// order of the schedule, whichever game was over first.
    pub fn of(mut sources: Vec<Vec<GameRecord>>) -> Report {
        sources
            .iter_mut()
            .for_each(|games| games.sort_by_key(|game| game.game));
        let games: Vec<GameRecord> = sources.iter().flatten().cloned().collect();
        let mut tally = Tally::default();
        games.iter().for_each(|game| tally.count(game));
        Report {
            duels: duels(&sources),
            first_mover: first_mover(&games),
            ratings: rate(&games),
            repeats: repeats(&games),
            tally,
        }
    }

    /// Shows each duel from the side of the player who comes first in `names`. The records may lack the first games.
    pub fn seen_in_order(mut self, names: &[&str]) -> Report {
        let place = |name: &str| names.iter().position(|known| *known == name);
        for duel in &mut self.duels {
            let places = place(&duel.player).zip(place(&duel.opponent));
            if places.is_some_and(|(player, opponent)| opponent < player) {
                duel.turn();
            }
        }
        self
    }
}

fn duels(sources: &[Vec<GameRecord>]) -> Vec<Duel> {
    let mut duels: Vec<Duel> = Vec::new();
    for games in sources {
        let mut met: Vec<(&str, &str)> = Vec::new();
        for game in games {
            let (p1, p2) = (game.p1.as_str(), game.p2.as_str());
            if !met.contains(&(p1, p2)) && !met.contains(&(p2, p1)) {
                met.push((p1, p2));
            }
        }
        for (player, opponent) in met {
            merge(&mut duels, duel(games, player, opponent));
        }
    }
    for duel in &mut duels {
        duel.elo = Elo::of(&duel.sample());
    }
    duels
}

fn duel(games: &[GameRecord], player: &str, opponent: &str) -> Duel {
    let is_ours = |game: &&GameRecord| {
        (game.p1 == player && game.p2 == opponent) || (game.p1 == opponent && game.p2 == player)
    };
    let mut tally = Tally::new([player.to_owned()]);
    let mut pairs = PairCounter::default();
    for game in games.iter().filter(is_ours) {
        tally.count(game);
        pairs.count(game, player);
    }
    Duel {
        player: player.to_owned(),
        opponent: opponent.to_owned(),
        wdl: tally.rows[0].total(),
        pairs: pairs.pairs,
        elo: None,
    }
}

/// Adds a duel to the list, in which it may be stored from the other side.
fn merge(duels: &mut Vec<Duel>, new: Duel) {
    for known in duels.iter_mut() {
        if (&known.player, &known.opponent) == (&new.player, &new.opponent) {
            return known.add(new.wdl, new.pairs);
        }
        if (&known.player, &known.opponent) == (&new.opponent, &new.player) {
            return known.add(new.wdl.flipped(), new.pairs.flipped());
        }
    }
    duels.push(new);
}

impl Duel {
    fn add(&mut self, wdl: Wdl, pairs: Pairs) {
        self.wdl = self.wdl.plus(wdl);
        self.pairs = self.pairs.plus(pairs);
    }

    fn turn(&mut self) {
        std::mem::swap(&mut self.player, &mut self.opponent);
        self.wdl = self.wdl.flipped();
        self.pairs = self.pairs.flipped();
        self.elo = Elo::of(&self.sample());
    }
}

fn first_mover(games: &[GameRecord]) -> FirstMover {
    let wdl = games.iter().fold(Wdl::default(), |sum, game| {
        sum.plus(Wdl::of(game.result, kit::Side::P1))
    });
    FirstMover {
        wdl,
        score: Interval::of_mean(&Sample::of_games(wdl)),
    }
}

fn repeats(games: &[GameRecord]) -> Repeats {
    let mut kinds: BTreeMap<(Option<&str>, &[String]), u64> = BTreeMap::new();
    for game in games
        .iter()
        .filter(|game| game.result != GameResult::Unknown)
    {
        *kinds
            .entry((game.opening.fen.as_deref(), &game.moves))
            .or_default() += 1;
    }
    let total: u64 = kinds.values().sum();
    let squares: u64 = kinds.values().map(|count| count * count).sum();
    Repeats {
        games: total,
        distinct: kinds.len() as u64,
        effective: if squares == 0 {
            0.0
        } else {
            (total * total) as f64 / squares as f64
        },
    }
}
