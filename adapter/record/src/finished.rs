//! Finished games without their moves, for schedules and results.

use std::collections::HashMap;

use kit::Side;

use crate::game::{GameRecord, GameResult, Termination};

/// The parts of a finished game that schedules and results need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished<'a> {
    /// Its number in the schedule, from 1.
    pub game: usize,
    /// The number of its pair, from 1.
    pub pair: usize,
    /// The name of player 1.
    pub p1: &'a str,
    /// The name of player 2.
    pub p2: &'a str,
    /// The side that moved first.
    pub first: Side,
    /// Its result.
    pub result: GameResult,
    /// The kind of ending.
    pub termination: Termination,
    /// The worker that played it; empty if none did, or it is unknown.
    pub worker: &'a str,
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
            worker: record
                .machine
                .as_ref()
                .map_or("", |machine| machine.worker.as_str()),
        }
    }
}

/// A list of finished games that stores each name once: matches have many games and few players.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FinishedGames {
    names: Vec<String>,
    workers: Vec<String>,
    /// Their indices.
    worker_indices: HashMap<String, u32>,
    games: Vec<Stored>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stored {
    game: usize,
    pair: usize,
    /// Index of player 1 in the names.
    p1: u32,
    p2: u32,
    first: Side,
    result: GameResult,
    termination: Termination,
    /// Index of the worker; `None` if it is unknown.
    worker: Option<u32>,
}

impl FinishedGames {
    /// Appends a game.
    pub fn push(&mut self, finished: Finished<'_>) {
        let Finished {
            game,
            pair,
            first,
            result,
            termination,
            ..
        } = finished;
        let (p1, p2) = (self.name(finished.p1), self.name(finished.p2));
        let worker = self.worker(finished.worker);
        self.games.push(Stored {
            game,
            pair,
            p1,
            p2,
            first,
            result,
            termination,
            worker,
        });
    }

    /// Index of a worker. There may be many, unlike players.
    fn worker(&mut self, name: &str) -> Option<u32> {
        if name.is_empty() {
            return None;
        }
        if let Some(known) = self.worker_indices.get(name) {
            return Some(*known);
        }
        let index = u32::try_from(self.workers.len()).expect("a name takes more than a byte");
        self.workers.push(name.to_owned());
        self.worker_indices.insert(name.to_owned(), index);
        Some(index)
    }

    fn name(&mut self, name: &str) -> u32 {
        let known = self.names.iter().position(|known| known == name);
        let index = known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        u32::try_from(index).expect("a name takes more than a byte")
    }

    /// The games, in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Finished<'_>> {
        self.games.iter().map(|stored| Finished {
            game: stored.game,
            pair: stored.pair,
            p1: &self.names[stored.p1 as usize],
            p2: &self.names[stored.p2 as usize],
            first: stored.first,
            result: stored.result,
            termination: stored.termination,
            worker: stored
                .worker
                .map_or("", |worker| &self.workers[worker as usize]),
        })
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
