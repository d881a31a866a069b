//! Results by player and side of the board.

use kit::Side;
use serde::{Deserialize, Serialize};

use crate::finished::Finished;
use crate::game::GameResult;

/// Numbers of wins, draws and losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
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
        let mut one = Wdl::default();
        match (result, side) {
            (GameResult::Draw, _) => one.draws = 1,
            (GameResult::P1Win, Side::P1) | (GameResult::P2Win, Side::P2) => one.wins = 1,
            (GameResult::P1Win, Side::P2) | (GameResult::P2Win, Side::P1) => one.losses = 1,
            (GameResult::Unknown, _) => {}
        }
        one
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
    pub(super) fn halves(self) -> usize {
        usize::from(self.draws > 0) + 2 * usize::from(self.wins > 0)
    }

    /// The sum of both.
    pub fn plus(self, other: Wdl) -> Wdl {
        Wdl {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

/// The results of one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The player.
    pub name: String,
    /// Results as player 1.
    pub as_p1: Wdl,
    /// Results as player 2.
    pub as_p2: Wdl,
}

impl Row {
    fn new(name: String) -> Row {
        Row {
            name,
            as_p1: Wdl::default(),
            as_p2: Wdl::default(),
        }
    }

    /// The results on both sides together.
    pub fn total(&self) -> Wdl {
        self.as_p1.plus(self.as_p2)
    }

    /// The share of points, 0 to 1; 0 without games.
    pub fn share(&self) -> f64 {
        let total = self.total();
        total.score() / total.games().max(1) as f64
    }
}

/// The results of several players.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// One row for each player, in the order given or of the first game.
    pub rows: Vec<Row>,
    /// Games without a result, which do not count.
    pub unknown: u64,
}

impl Tally {
    /// Creates a tally without results.
    pub fn new(names: impl IntoIterator<Item = String>) -> Tally {
        Tally {
            rows: names.into_iter().map(Row::new).collect(),
            unknown: 0,
        }
    }

    /// Counts a game. Unknown players are added.
    pub fn count<'a>(&mut self, game: impl Into<Finished<'a>>) {
        let record = game.into();
        self.unknown += u64::from(record.result == GameResult::Unknown);
        let row = self.row(record.p1);
        row.as_p1 = row.as_p1.plus(Wdl::of(record.result, Side::P1));
        let row = self.row(record.p2);
        row.as_p2 = row.as_p2.plus(Wdl::of(record.result, Side::P2));
    }

    fn row(&mut self, name: &str) -> &mut Row {
        let found = self.rows.iter().position(|row| row.name == name);
        let index = found.unwrap_or_else(|| {
            self.rows.push(Row::new(name.to_owned()));
            self.rows.len() - 1
        });
        &mut self.rows[index]
    }
}
