//! Rounds: meetings and their results.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::knockout;
use crate::plan::Format;
use crate::record::{GameRecord, GameResult};

/// What a schedule needs to know of a finished game.
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
    /// Who meets whom.
    pub meetings: Vec<Meeting>,
    /// Who meets nobody: indices of entrants.
    pub byes: Vec<usize>,
}

impl Round {
    /// A round without results.
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

    /// Counts a game between these players.
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

/// Two players' games in one round. Points are counted in halves: a win is 2.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Meeting {
    /// Indices of entrants.
    pub players: [usize; 2],
    /// Half points of the planned games, of each player.
    pub halves: [usize; 2],
    /// Half points of further games, after a tie.
    pub play_off_halves: [usize; 2],
    /// How many times the players went on after a tie.
    pub n_play_offs: usize,
}

impl Meeting {
    /// Whether the games so far tell none of the two from the other.
    pub fn is_tied(&self) -> bool {
        let is_even = |[first, second]: [usize; 2]| first == second;
        is_even(self.halves) && is_even(self.play_off_halves)
    }

    /// Who goes on; after a tie the one named first, who has the better seed.
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
    /// In their order.
    pub rounds: &'a [Round],
    /// Whether all games are played.
    pub is_over: bool,
}

/// The place of an entrant in a Swiss tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The index of the entrant.
    pub entrant: usize,
    /// Half points; a bye counts as many as a tied meeting.
    pub halves: usize,
    /// Buchholz's tie-break: the sum of the half points of the opponents.
    pub buchholz: usize,
}

impl Rounds<'_> {
    /// How many rounds there are to be.
    pub fn n_planned(&self) -> usize {
        match self.format {
            Format::Swiss { rounds } => rounds,
            _ => super::n_rounds(self.seeding.len()),
        }
    }

    /// Who has won a knockout; `None` before its end, and in a Swiss tournament.
    pub fn champion(&self) -> Option<usize> {
        let is_won = self.is_over && self.format == Format::Knockout;
        is_won
            .then(|| knockout::champion(self.seeding, self.rounds))
            .flatten()
    }

    /// The entrants, the best first: by points, then by Buchholz, then by seed.
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

/// The half points of each entrant. A bye counts as many as a tied meeting of so many games.
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
