//! Pairings, the order of games, and their openings.
//!
//! A [`Schedule`] hands out the games of a match. In a round robin or gauntlet all are known at the start. A Swiss match
//! has rounds, each determined by the results of those before, so a schedule can be rebuilt from the finished games
//! alone, in any order.

mod swiss;

pub use swiss::{Meeting, Place, Round, places};

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::format::{Format, Shard};
use crate::game::{GameResult, PlayedGame};
use crate::plan::Plan;

/// A scheduled game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Slot {
    /// The number in the schedule, from 1.
    pub game: usize,
    /// The number of the pair, from 1. A pair is the games of two players from one opening.
    pub pair: usize,
    /// Index of player 1 among the plan's engines.
    pub p1: usize,
    /// Index of player 2 among the plan's engines.
    pub p2: usize,
    /// Index of the opening.
    pub opening: usize,
}

/// The games of a match, or of its shard. Slots are computed on demand, so memory does not grow with the number of
/// games.
#[derive(Debug, Clone)]
pub struct Schedule {
    format: Format,
    n_players: usize,
    /// Games of each meeting.
    games: usize,
    /// Games from one opening: 2 if sides are swapped.
    pair_len: usize,
    shard: Option<Shard>,
    /// The pairs that meet in the current round, or in the whole match if it has no rounds.
    meetings: Vec<[usize; 2]>,
    /// Index of the next slot among the games of these meetings.
    at: usize,
    /// The rounds of a Swiss match; the last one is the current one.
    rounds: Vec<Round>,
    /// Number of games of the current round without a result.
    n_open: usize,
    /// The numbers of games that need not be played.
    done: HashSet<usize>,
}

impl Schedule {
    /// The schedule of a plan, with all its games.
    pub fn new(plan: &Plan) -> Schedule {
        let n_players = plan.entrants().len();
        let against_later =
            |first: usize| (first + 1..n_players).map(move |second| [first, second]);
        let mut schedule = Schedule {
            format: plan.format,
            n_players,
            games: plan.games,
            pair_len: plan.pair_len(),
            shard: plan.shard,
            meetings: match plan.format {
                Format::RoundRobin => (0..n_players).flat_map(against_later).collect(),
                Format::Gauntlet => against_later(0).collect(),
                Format::Swiss { .. } | Format::Knockout => Vec::new(),
            },
            at: 0,
            rounds: Vec::new(),
            n_open: 0,
            done: HashSet::new(),
        };
        schedule.open_round();
        schedule
    }

    /// The schedule of a plan without the games in `done`.
    ///
    /// # Errors
    /// In a Swiss match: the players of a game do not follow from the results before it, or earlier games are missing.
    pub fn resume<'a>(
        plan: &Plan,
        done: impl IntoIterator<Item = PlayedGame<'a>>,
    ) -> Result<Schedule, String> {
        let mut schedule = Schedule::new(plan);
        if schedule.rounds.is_empty() {
            schedule.done = done.into_iter().map(|(game, ..)| game).collect();
            return Ok(schedule);
        }
        let done = done.into_iter();
        let done: BTreeMap<usize, _> = done
            .map(|(game, names, result)| (game, (names, result)))
            .collect();
        let names = plan.names();
        let name = |player: usize| names.get(player).map_or("", String::as_str);
        let last = loop {
            let n_rounds = schedule.rounds.len();
            let slots: Vec<Slot> = (0..).map_while(|at| schedule.slot(at)).collect();
            for slot in &slots {
                let Some((played, result)) = done.get(&slot.game) else {
                    continue;
                };
                let due = [slot.p1, slot.p2].map(name);
                if due != *played {
                    return Err(format!(
                        "game {} is {}: by the previous results it is {}",
                        slot.game,
                        played.join(" vs "),
                        due.join(" vs ")
                    ));
                }
                schedule.done.insert(slot.game);
                schedule.finish(slot, *result);
            }
            if schedule.rounds.len() == n_rounds {
                break slots;
            }
        };
        let missing = last.iter().find(|slot| !done.contains_key(&slot.game));
        let n_last = last.last().map_or(0, |slot| slot.game);
        match (done.keys().last().filter(|game| **game > n_last), missing) {
            (None, _) => Ok(schedule),
            (Some(left), None) => Err(format!("game {left}: the match ends before it")),
            (Some(left), Some(Slot { game, .. })) => Err(format!(
                "game {game} is missing, and game {left} of a later round was played: its pairings depend on all games \
                 of the previous rounds"
            )),
        }
    }

    /// The next game to play; `None` after the last one of the current round. Each game is handed out once.
    pub fn take(&mut self) -> Option<Slot> {
        loop {
            let slot = self.slot(self.at)?;
            self.at += 1;
            let is_ours = self.shard.is_none_or(|shard| shard.has_pair(slot.pair));
            if is_ours && !self.done.contains(&slot.game) {
                return Some(slot);
            }
        }
    }

    /// Adds the result of a game that was handed out. The last result of a round opens the next round.
    pub fn finish(&mut self, slot: &Slot, result: GameResult) {
        if let Some(round) = self.rounds.last_mut() {
            round.count([slot.p1, slot.p2], result);
            self.n_open -= 1;
            if self.n_open == 0 {
                self.open_round();
            }
        }
    }

    /// Pairs the next round of a Swiss match, if there is one.
    fn open_round(&mut self) {
        if self.has_later_rounds() {
            let round = swiss::next_round(self.n_players, &self.rounds, self.games);
            let players = round.meetings.iter().map(|meeting| meeting.players);
            self.meetings = players.collect();
            self.rounds.push(round);
            self.at = 0;
            self.n_open = self.meetings.len() * self.games;
        }
    }

    /// The rounds so far; empty in a format without rounds.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// `true` if there are rounds after the current one.
    pub fn has_later_rounds(&self) -> bool {
        let n_rounds = self.format.rounds();
        n_rounds.is_some_and(|n_rounds| self.rounds.len() < n_rounds)
    }

    /// A game of the current round by its index, or of a match without rounds; `None` past the end.
    fn slot(&self, at: usize) -> Option<Slot> {
        let n_meetings = self.meetings.len();
        let n_games = Some(n_meetings * self.games).filter(|n_games| at < *n_games)?;
        // The first pair of every meeting comes first, then the second of every meeting, and so on.
        let opening = at / (n_meetings * self.pair_len);
        let n_games_before = opening * self.pair_len;
        let n_legs = self.pair_len.min(self.games - n_games_before);
        let in_opening = at - n_games_before * n_meetings;
        let (meeting, leg) = (in_opening / n_legs, in_opening % n_legs);
        let mut players = self.meetings[meeting];
        players.rotate_left(leg);
        let [p1, p2] = players;
        // All rounds have the same number of games.
        let n_rounds_before = self.rounds.len().saturating_sub(1);
        let opening = n_rounds_before * self.games.div_ceil(self.pair_len) + opening;
        Some(Slot {
            game: n_rounds_before * n_games + at + 1,
            pair: opening * n_meetings + meeting + 1,
            p1,
            p2,
            opening,
        })
    }

    /// The total number of games.
    pub fn n_games(&self) -> usize {
        let n_meetings = self.meetings.len();
        let Some(shard) = self.shard else {
            return self.format.rounds().unwrap_or(1) * n_meetings * self.games;
        };
        // With an odd number of games, the last pair of each meeting has one leg.
        let with_leg = |leg: usize| (self.games - leg).div_ceil(self.pair_len) * n_meetings;
        (0..self.pair_len)
            .map(|leg| shard.n_pairs(with_leg(leg)))
            .sum()
    }
}

/// Upper bound on the number of openings that a match needs.
pub fn n_openings(format: Format, games: usize, swaps: bool) -> usize {
    let n_pairs = if swaps { games.div_ceil(2) } else { games };
    format.rounds().unwrap_or(1) * n_pairs
}

#[cfg(test)]
mod tests;
