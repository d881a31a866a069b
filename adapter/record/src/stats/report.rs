//! The statistics of finished games: the standing of a match, and what reports show.

use serde::{Deserialize, Serialize};

use super::elo::{Elo, Interval};
use super::faults::FaultCounts;
use super::rating::Ratings;
use super::sample::{Pairs, Row, Tally, Wdl};
use super::sprt::SprtStatus;

/// If one side of the board wins at least this share of pairs, Elo has no meaning.
const FORCED: f64 = 0.95;

/// The standing of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
