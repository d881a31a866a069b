//! Rounds of Swiss and knockout formats: meetings and their results.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::knockout;
use crate::format::Format;
use crate::game::{GameRecord, GameResult};

/// The parts of a finished game that a schedule needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished<'a> {
    /// Its number.
    pub game: usize,
    /// The name of player 1.
    pub p1: &'a str,
    /// The name of player 2.
    pub p2: &'a str,
    /// Its result.
    pub result: GameResult,
}

impl<'a> From<&'a GameRecord> for Finished<'a> {
    fn from(record: &'a GameRecord) -> Finished<'a> {
        Finished {
            game: record.game,
            p1: &record.p1,
            p2: &record.p2,
            result: record.result,
        }
    }
}

/// A round of a Swiss tournament or a knockout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Round {
    /// The meetings of the round.
    pub meetings: Vec<Meeting>,
    /// Entrants with a bye, as indices.
    pub byes: Vec<usize>,
}

impl Round {
    /// Creates a round without results.
    pub(super) fn new(pairings: Vec<[usize; 2]>, byes: Vec<usize>) -> Round {
        let meeting = |players| Meeting {
            players,
            ..Meeting::default()
        };
        Round {
            meetings: pairings.into_iter().map(meeting).collect(),
            byes,
        }
    }

    pub(super) fn pairings(&self) -> Vec<[usize; 2]> {
        self.meetings
            .iter()
            .map(|meeting| meeting.players)
            .collect()
    }

    /// Adds the result of a game between these players.
    pub(super) fn count(&mut self, players: [usize; 2], p1: usize, result: GameResult) {
        let mut meetings = self.meetings.iter_mut();
        let Some(meeting) = meetings.find(|meeting| meeting.players == players) else {
            return;
        };
        let halves = match result {
            GameResult::P1Win => [2, 0],
            GameResult::P2Win => [0, 2],
            GameResult::Draw => [1, 1],
            GameResult::Unknown => [0, 0],
        };
        let is_swapped = players[0] != p1;
        let points = match meeting.n_play_offs {
            0 => &mut meeting.halves,
            _ => &mut meeting.play_off_halves,
        };
        for (at, point) in points.iter_mut().enumerate() {
            *point += halves[at ^ usize::from(is_swapped)];
        }
    }
}

/// The games of two players in one round. Points are counted in halves: a win is 2.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Meeting {
    /// The players, as indices of entrants.
    pub players: [usize; 2],
    /// Half points of each player in the planned games.
    pub halves: [usize; 2],
    /// Half points of each player in play-off games after a tie.
    pub play_off_halves: [usize; 2],
    /// Number of play-offs, each a pair of games.
    pub n_play_offs: usize,
}

impl Meeting {
    /// `true` if both players have equal points.
    pub fn is_tied(&self) -> bool {
        let is_even = |[first, second]: [usize; 2]| first == second;
        is_even(self.halves) && is_even(self.play_off_halves)
    }

    /// The player who advances; after a tie, the first player, who has the better seed.
    pub fn winner(&self) -> usize {
        let points = |at: usize| (self.halves[at], self.play_off_halves[at]);
        self.players[usize::from(points(1) > points(0))]
    }
}

/// All rounds so far.
#[derive(Debug, Clone, Copy)]
pub struct Rounds<'a> {
    /// Swiss or knockout.
    pub format: Format,
    pub(super) seeding: &'a [usize],
    /// Planned games of each meeting.
    pub games: usize,
    /// The rounds in order.
    pub rounds: &'a [Round],
    /// `true` if all games are finished.
    pub is_over: bool,
}

/// The standing of an entrant in a Swiss tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The index of the entrant.
    pub entrant: usize,
    /// Half points. A bye counts as a tied meeting.
    pub halves: usize,
    /// Buchholz tie-break: the sum of the opponents' half points.
    pub buchholz: usize,
}

impl Rounds<'_> {
    /// The planned number of rounds.
    pub fn n_planned(&self) -> usize {
        match self.format {
            Format::Swiss { rounds } => rounds,
            _ => crate::schedule::n_rounds(self.seeding.len()),
        }
    }

    /// The winner of a knockout; `None` before its end, and in a Swiss tournament.
    pub fn champion(&self) -> Option<usize> {
        let is_won = self.is_over && self.format == Format::Knockout;
        is_won
            .then(|| knockout::champion(self.seeding, self.rounds))
            .flatten()
    }

    /// The entrants ranked by points, then Buchholz score, then seed.
    pub fn places(&self) -> Vec<Place> {
        let halves = points(self.seeding, self.rounds, self.games);
        let buchholz = |entrant: usize| {
            let meetings = self.rounds.iter().flat_map(|round| &round.meetings);
            let opponent = |meeting: &Meeting| match meeting.players {
                [first, second] if first == entrant => Some(second),
                [first, second] if second == entrant => Some(first),
                _ => None,
            };
            meetings
                .filter_map(opponent)
                .map(|opponent| halves[&opponent])
                .sum()
        };
        let place = |&entrant: &usize| Place {
            entrant,
            halves: halves[&entrant],
            buchholz: buchholz(entrant),
        };
        let mut places: Vec<Place> = self.seeding.iter().map(place).collect();
        places.sort_by_key(|place| Reverse((place.halves, place.buchholz)));
        places
    }
}

/// The half points of each entrant. A bye counts as a tied meeting of `games` games.
pub(super) fn points(seeding: &[usize], rounds: &[Round], games: usize) -> HashMap<usize, usize> {
    let mut points: HashMap<usize, usize> = seeding.iter().map(|entrant| (*entrant, 0)).collect();
    let mut add = |entrant: usize, halves: usize| *points.entry(entrant).or_default() += halves;
    for round in rounds {
        for meeting in &round.meetings {
            let both = meeting.players.into_iter().zip(meeting.halves);
            both.for_each(|(player, halves)| add(player, halves));
        }
        round.byes.iter().for_each(|entrant| add(*entrant, games));
    }
    points
}
