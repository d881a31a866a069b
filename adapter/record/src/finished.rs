//! Finished games without their moves, for schedules and results.

use std::collections::HashMap;

use kit::Side;
use serde::Deserialize;

use crate::game::{GameRecord, GameResult, Termination};

/// The parts of a finished game that schedules and results need.
pub type Finished<'a> = FinishedGame<&'a str>;

/// As [`Finished`], with names of any kind. The fields are those of a game's line in a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct FinishedGame<N> {
    /// Its number in the schedule, from 1.
    pub game: usize,
    /// The number of its pair, from 1.
    pub pair: usize,
    /// The name of player 1.
    pub p1: N,
    /// The name of player 2.
    pub p2: N,
    /// The side that moved first.
    #[serde(default)]
    pub first: Side,
    /// Its result.
    pub result: GameResult,
    /// The kind of ending.
    pub termination: Termination,
}

impl<N> FinishedGame<N> {
    pub(crate) fn renamed<M>(self, mut name: impl FnMut(N) -> M) -> FinishedGame<M> {
        FinishedGame {
            game: self.game,
            pair: self.pair,
            p1: name(self.p1),
            p2: name(self.p2),
            first: self.first,
            result: self.result,
            termination: self.termination,
        }
    }
}

impl Finished<'_> {
    /// The side of a player, who must be one of the two.
    pub fn side_of(self, player: &str) -> Side {
        match self.p1 == player {
            true => Side::P1,
            false => Side::P2,
        }
    }
}

impl<'a> From<&'a GameRecord> for Finished<'a> {
    fn from(record: &'a GameRecord) -> Finished<'a> {
        Finished {
            game: record.game,
            pair: record.pair,
            p1: &record.p1,
            p2: &record.p2,
            first: record.first,
            result: record.result,
            termination: record.termination,
        }
    }
}

/// A list of finished games that stores each name once: matches have many games and few players.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FinishedGames {
    names: Vec<String>,
    indices: HashMap<String, u32>,
    games: Vec<FinishedGame<u32>>,
}

impl FinishedGames {
    /// Appends a game.
    pub fn push(&mut self, finished: FinishedGame<impl AsRef<str>>) {
        let stored = finished.renamed(|name| self.index(name.as_ref()));
        self.games.push(stored);
    }

    fn index(&mut self, name: &str) -> u32 {
        if let Some(known) = self.indices.get(name) {
            return *known;
        }
        let index = u32::try_from(self.names.len()).expect("a name takes more than a byte");
        self.names.push(name.to_owned());
        self.indices.insert(name.to_owned(), index);
        index
    }

    /// The games, in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Finished<'_>> {
        let name = |index: u32| self.names[index as usize].as_str();
        self.games.iter().map(move |game| game.renamed(name))
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// `true` without games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }
}

impl<'a> FromIterator<Finished<'a>> for FinishedGames {
    fn from_iter<I: IntoIterator<Item = Finished<'a>>>(games: I) -> FinishedGames {
        let mut all = FinishedGames::default();
        games.into_iter().for_each(|game| all.push(game));
        all
    }
}
