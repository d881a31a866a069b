//! Pairings, the order of games, and their openings.
//!
//! A [`Schedule`] hands out the games of a match. A round robin or gauntlet is a single stage: all games are known at
//! the start. A Swiss tournament has several stages, each determined by the results of those before, so a schedule can
//! be rebuilt from the finished games alone, in whatever order they finished.

mod matching;
mod round;
mod rounds;
mod stage;
mod swiss;

pub use round::{Meeting, Round, n_rounds};
pub use rounds::{Place, Rounds};
pub use stage::Slot;

use std::collections::HashMap;

use crate::finished::Finished;
use crate::format::{Format, Shard};
use crate::game::GameResult;
use crate::plan::Plan;
use stage::Stage;

/// The next step of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// A game to play.
    Game(Slot),
    /// No game until one in progress has a result.
    Wait,
    /// No further games.
    End,
}

/// The games of a match, or of its shard. Slots are computed on demand, so memory does not grow with the number of
/// games.
#[derive(Debug, Clone)]
pub struct Schedule {
    format: Format,
    n_entrants: usize,
    /// Games of each meeting.
    games: usize,
    /// Games from one opening: 2 if sides are swapped.
    pair_len: usize,
    shard: Option<Shard>,
    stage: Stage,
    /// Index of the next slot in the stage.
    at: usize,
    /// Number of games of the stage without a result.
    n_open: usize,
    /// The rounds so far; empty in formats with a single stage.
    rounds: Vec<Round>,
    /// Results known in advance, by game number, whose games have not been reached yet.
    done: HashMap<usize, GameResult>,
}

impl Schedule {
    /// The schedule of a plan, without the games in `done`.
    pub fn new<'a>(plan: &Plan, done: impl IntoIterator<Item = Finished<'a>>) -> Schedule {
        let n_entrants = plan.entrants().len();
        let pairings = pairings(n_entrants, plan.format);
        let pair_len = if plan.swaps { 2 } else { 1 };
        let stage = Stage::first(pairings, plan.games, pair_len);
        let mut schedule = Schedule {
            format: plan.format,
            n_entrants,
            games: plan.games,
            pair_len,
            shard: plan.shard,
            n_open: stage.n_games(),
            stage,
            at: 0,
            rounds: Vec::new(),
            done: done
                .into_iter()
                .map(|game| (game.game, game.result))
                .collect(),
        };
        if schedule.format.has_rounds() {
            schedule.open_stage();
        }
        schedule
    }

    /// Like [`new`](Schedule::new), with all results counted: for reports, and to check that the games fit the plan.
    ///
    /// # Errors
    /// In a format with rounds: the players of a game do not follow from the results before it, or earlier games are
    /// missing.
    pub fn replay<'a>(
        plan: &Plan,
        done: impl IntoIterator<Item = Finished<'a>>,
    ) -> Result<Schedule, String> {
        let done: Vec<Finished<'a>> = done.into_iter().collect();
        let mut schedule = Schedule::new(plan, done.iter().copied());
        if !plan.format.has_rounds() {
            return Ok(schedule);
        }
        let players: HashMap<usize, [&str; 2]> = done
            .iter()
            .map(|game| (game.game, [game.p1, game.p2]))
            .collect();
        let names = plan.names();
        let name = |entrant: usize| names.get(entrant).map_or("", String::as_str);
        let mut missing = None;
        while !schedule.done.is_empty() {
            let Some(slot) = schedule.advance() else {
                let left = schedule.done.keys().max().copied().unwrap_or_default();
                return Err(match missing {
                    Some(missing) => format!(
                        "game {missing} is missing, and game {left} of a later round was played: its pairings depend \
                         on all games of the previous rounds"
                    ),
                    None => format!("game {left}: the match ends before it"),
                });
            };
            let due = [name(slot.p1), name(slot.p2)];
            match (schedule.done.remove(&slot.game), players.get(&slot.game)) {
                (Some(result), Some(played)) if *played == due => schedule.finish(&slot, result),
                (Some(_), Some([p1, p2])) => {
                    let [first, second] = due;
                    let number = slot.game;
                    return Err(format!(
                        "game {number} is {p1} vs {p2}: by the previous results it is {first} vs {second}"
                    ));
                }
                _ => missing = missing.or(Some(slot.game)),
            }
        }
        Ok(schedule)
    }

    /// The next game to play. Each game is handed out once.
    pub fn take(&mut self) -> Next {
        while let Some(slot) = self.advance() {
            match self.done.remove(&slot.game) {
                Some(result) => self.finish(&slot, result),
                None => return Next::Game(slot),
            }
        }
        match self.format.has_rounds() && self.n_open > 0 {
            true => Next::Wait,
            false => Next::End,
        }
    }

    /// The next slot of the stage, played or not; `None` at the end.
    fn advance(&mut self) -> Option<Slot> {
        loop {
            let slot = self.stage.slot(self.at)?;
            self.at += 1;
            if self.shard.is_none_or(|shard| shard.has_pair(slot.pair)) {
                return Some(slot);
            }
        }
    }

    /// Adds the result of a game that was handed out. The last result of a stage opens the next stage.
    pub fn finish(&mut self, slot: &Slot, result: GameResult) {
        if !self.format.has_rounds() {
            return;
        }
        let meeting = self.stage.meeting_of(slot);
        if let Some(round) = self.rounds.last_mut() {
            round.count(meeting, slot.p1, result);
        }
        self.n_open -= 1;
        if self.n_open == 0 {
            self.open_stage();
        }
    }

    /// Creates the next stage from the results so far, if there is one.
    fn open_stage(&mut self) {
        let (meetings, games) = match self.format {
            Format::RoundRobin | Format::Gauntlet | Format::Knockout => return,
            Format::Swiss { rounds } => {
                if self.rounds.len() == rounds {
                    return;
                }
                let round = swiss::next_round(self.n_entrants, &self.rounds, self.games);
                let meetings = round.pairings();
                self.rounds.push(round);
                (meetings, self.games)
            }
        };
        self.stage = self.stage.followed_by(meetings, games);
        self.at = 0;
        self.n_open = self.stage.n_games();
    }

    /// The total number of games.
    pub fn n_games(&self) -> usize {
        match self.format {
            Format::RoundRobin | Format::Gauntlet | Format::Knockout => self.n_games_of_stage(),
            Format::Swiss { rounds } => rounds * (self.n_entrants / 2) * self.games,
        }
    }

    fn n_games_of_stage(&self) -> usize {
        let Some(shard) = self.shard else {
            return self.stage.n_games();
        };
        let pairings = self.stage.n_meetings();
        let pairs = self.games.div_ceil(self.pair_len) * pairings;
        let n_played = shard.n_pairs(pairs);
        if self.pair_len == 1 {
            return n_played;
        }
        // With an odd number of games each pairing's last pair is one game.
        let halves = if self.games % 2 == 1 { pairings } else { 0 };
        2 * n_played - (n_played - shard.n_pairs(pairs - halves))
    }

    /// The rounds so far and their standings; `None` in a format without rounds.
    pub fn rounds(&self) -> Option<Rounds<'_>> {
        self.format.has_rounds().then(|| Rounds {
            n_entrants: self.n_entrants,
            games: self.games,
            rounds: &self.rounds,
        })
    }
}

/// Upper bound on the number of openings that a match needs.
pub fn n_openings(format: Format, games: usize, swaps: bool) -> usize {
    let n_pairs = if swaps { games.div_ceil(2) } else { games };
    match format {
        Format::Swiss { rounds } => rounds * n_pairs,
        _ => n_pairs,
    }
}

/// All pairings of a format with a single stage.
fn pairings(n_entrants: usize, format: Format) -> Vec<[usize; 2]> {
    let among = |first: usize| move |second: usize| [first, second];
    match format {
        Format::RoundRobin => (0..n_entrants)
            .flat_map(|first| (first + 1..n_entrants).map(among(first)))
            .collect(),
        Format::Gauntlet => (1..n_entrants).map(among(0)).collect(),
        Format::Swiss { .. } | Format::Knockout => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
