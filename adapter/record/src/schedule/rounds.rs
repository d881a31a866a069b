//! All rounds of a Swiss tournament or a knockout, and the places after them.

use std::cmp::Reverse;

use super::knockout;
use super::round::{Meeting, Round, n_rounds, points};
use crate::format::Format;

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
            _ => n_rounds(self.seeding.len()),
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
