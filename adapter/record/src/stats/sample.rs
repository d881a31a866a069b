//! Results by player and side of the board, and frequencies of scores: three classes for single games (trinomial), five
//! for pairs (pentanomial).

use std::collections::BTreeMap;
use std::ops::AddAssign;

use kit::Side;
use serde::{Deserialize, Serialize};

use crate::game::{GameRecord, GameResult};

/// Frequencies of equally spaced scores from 0 to 1 in ascending order: three for single games, five for pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    pub(super) counts: Vec<u64>,
}

impl Sample {
    /// A sample of single games.
    pub(super) fn of_games(wdl: Wdl) -> Sample {
        let counts = vec![wdl.losses, wdl.draws, wdl.wins];
        Sample { counts }
    }

    /// A sample of pairs that scored 0, ½, 1, 1½ and 2 points.
    pub fn of_pairs(counts: [u64; 5]) -> Sample {
        let counts = counts.to_vec();
        Sample { counts }
    }

    /// Number of games in one observation: 1 or 2.
    pub(super) fn games_each(&self) -> f64 {
        (self.counts.len() - 1) as f64 / 2.0
    }

    /// The number of observations, and the score and the share of each class; the shares add up to 1. Frequencies below
    /// `least` are replaced by it: with 0.001, as in fastchess, no likelihood is zero.
    pub(super) fn shares(&self, least: f64) -> (f64, Vec<(f64, f64)>) {
        let weights = self.counts.iter().map(|count| (*count as f64).max(least));
        let (total, top) = (weights.clone().sum::<f64>(), (self.counts.len() - 1) as f64);
        let share = |(index, weight)| (index as f64 / top, weight / total);
        (total, weights.enumerate().map(share).collect())
    }
}

/// Mean and variance of a distribution given as scores with their shares.
pub(super) fn moments(shares: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = shares.iter().map(|(score, share)| score * share).sum();
    let square = |(score, share): &(f64, f64)| share * (score - mean).powi(2);
    (mean, shares.iter().map(square).sum())
}

/// The results of two players, from one player's point of view.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Results {
    /// All games.
    pub(super) wdl: Wdl,
    pub(super) pairs: Pairs,
}

impl Results {
    /// The observations for Elo and SPRT: pairs if there are any, otherwise single games.
    pub(super) fn sample(&self) -> Sample {
        match self.pairs.total() {
            0 => Sample::of_games(self.wdl),
            _ => Sample::of_pairs(self.pairs.counts),
        }
    }
}

/// The finished pairs of two players, from one player's point of view.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Pairs {
    /// Pairs that scored 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
    /// Number of 1-point pairs that consist of a win and a loss.
    pub split: u64,
    /// Half points of the first finished game of each incomplete pair, by pair number. In a new file, pair numbers start
    /// again.
    #[serde(skip)]
    pub(super) open: BTreeMap<usize, usize>,
}

impl Pairs {
    pub(super) fn count(&mut self, first: usize, second: usize) {
        self.counts[first + second] += 1;
        self.split += u64::from(first.abs_diff(second) == 2);
    }

    /// Counts a game of a pair, in any order. A game without a result leaves its pair incomplete.
    pub(super) fn count_game(&mut self, pair: usize, game: Wdl) {
        if game.games() == 0 {
            return;
        }
        match self.open.remove(&pair) {
            None => drop(self.open.insert(pair, game.halves())),
            Some(first) => self.count(first, game.halves()),
        }
    }

    /// Number of pairs.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// Numbers of wins, draws and losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// One game from the point of view of this side; all zero if the result is unknown.
    pub fn of(result: GameResult, side: Side) -> Wdl {
        let is = |wanted: GameResult| u64::from(result == wanted);
        Wdl {
            wins: is(GameResult::win(side)),
            draws: is(GameResult::Draw),
            losses: is(GameResult::win(side.other())),
        }
    }

    /// Total number of games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points: one for a win, half for a draw.
    pub fn score(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Half points of a single game.
    pub(crate) fn halves(self) -> usize {
        usize::from(self.draws > 0) + 2 * usize::from(self.wins > 0)
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Wdl) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// The results of one player.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    /// The player.
    pub name: String,
    /// Results as player 1.
    pub as_p1: Wdl,
    /// Results as player 2.
    pub as_p2: Wdl,
}

impl Row {
    /// The results on both sides together.
    pub fn total(&self) -> Wdl {
        let mut total = self.as_p1;
        total += self.as_p2;
        total
    }

    /// The share of points, 0 to 1; 0 without games.
    pub fn share(&self) -> f64 {
        let total = self.total();
        total.score() / total.games().max(1) as f64
    }
}

/// The results of several players.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tally {
    /// One row for each player, in the order given or of the first game.
    pub rows: Vec<Row>,
    /// Games without a result, which do not count.
    pub unknown: u64,
}

impl Tally {
    /// Counts a game. Unknown players are added. Returns the indices of both players.
    pub(super) fn count(&mut self, game: &GameRecord) -> [usize; 2] {
        self.unknown += u64::from(game.result == GameResult::Unknown);
        let [p1, p2] = [self.place(&game.p1), self.place(&game.p2)];
        self.rows[p1].as_p1 += Wdl::of(game.result, Side::P1);
        self.rows[p2].as_p2 += Wdl::of(game.result, Side::P2);
        [p1, p2]
    }

    /// The index of a player, who is added if unknown.
    pub(super) fn place(&mut self, name: &str) -> usize {
        let found = self.rows.iter().position(|row| row.name == name);
        found.unwrap_or_else(|| {
            self.rows.push(Row {
                name: name.to_owned(),
                ..Row::default()
            });
            self.rows.len() - 1
        })
    }
}
