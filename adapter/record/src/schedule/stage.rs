//! Stages: sets of games that do not depend on each other's results.

use serde::{Deserialize, Serialize};

/// A scheduled game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    /// The number in the schedule, from 1.
    pub game: usize,
    /// The number of the pair, from 1. A pair is the games of two players from one opening.
    pub pair: usize,
    /// Index of player 1 among the plan's entrants.
    pub p1: usize,
    /// Index of player 2 among the plan's entrants.
    pub p2: usize,
    /// Index of the opening.
    pub opening: usize,
}

/// Meetings with equal numbers of games. The first pair of every meeting comes first, then the second of every meeting,
/// and so on.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    /// Indices of the entrants of each meeting.
    meetings: Vec<[usize; 2]>,
    /// Games of each meeting.
    games: usize,
    pair_len: usize,
    /// The numbers of games, pairs and openings in earlier stages.
    n_games_before: usize,
    n_pairs_before: usize,
    n_openings_before: usize,
}

impl Stage {
    pub(super) fn first(meetings: Vec<[usize; 2]>, games: usize, pair_len: usize) -> Stage {
        Stage {
            meetings,
            games,
            pair_len,
            n_games_before: 0,
            n_pairs_before: 0,
            n_openings_before: 0,
        }
    }

    /// The stage after this one. Numbers and openings continue.
    pub(super) fn followed_by(&self, meetings: Vec<[usize; 2]>, games: usize) -> Stage {
        // The initial stage of formats with rounds has no meetings and uses no opening.
        let n_openings = match self.meetings.is_empty() {
            true => 0,
            false => self.n_pairs_each(),
        };
        Stage {
            meetings,
            games,
            pair_len: self.pair_len,
            n_games_before: self.n_games_before + self.n_games(),
            n_pairs_before: self.n_pairs_before + self.n_pairs_each() * self.meetings.len(),
            n_openings_before: self.n_openings_before + n_openings,
        }
    }

    fn n_pairs_each(&self) -> usize {
        self.games.div_ceil(self.pair_len)
    }

    pub(super) fn n_meetings(&self) -> usize {
        self.meetings.len()
    }

    pub(super) fn n_games(&self) -> usize {
        self.meetings.len() * self.games
    }

    /// The game with this index; `None` past the end.
    pub(super) fn slot(&self, at: usize) -> Option<Slot> {
        if at >= self.n_games() {
            return None;
        }
        let n_meetings = self.meetings.len();
        let opening = at / (n_meetings * self.pair_len);
        let n_games_before = opening * self.pair_len;
        let n_legs = self.pair_len.min(self.games - n_games_before);
        let in_opening = at - n_games_before * n_meetings;
        let (meeting, leg) = (in_opening / n_legs, in_opening % n_legs);
        let [first, second] = self.meetings[meeting];
        let (p1, p2) = match leg {
            0 => (first, second),
            _ => (second, first),
        };
        Some(Slot {
            game: self.n_games_before + at + 1,
            pair: self.n_pairs_before + opening * n_meetings + meeting + 1,
            p1,
            p2,
            opening: self.n_openings_before + opening,
        })
    }

    /// The players of the meeting to which a slot of this stage belongs.
    pub(super) fn meeting_of(&self, slot: &Slot) -> [usize; 2] {
        self.meetings[(slot.pair - self.n_pairs_before - 1) % self.meetings.len()]
    }
}
