//! All rounds of a Swiss tournament, and the places after them.

use std::cmp::Reverse;

use super::round::{Meeting, Round, points};

/// All rounds so far.
#[derive(Debug, Clone, Copy)]
pub struct Rounds<'a> {
    pub(super) n_entrants: usize,
    /// Planned games of each meeting.
    pub games: usize,
    /// The rounds in order.
    pub rounds: &'a [Round],
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
    /// The entrants ranked by points, then Buchholz score, then number.
    pub fn places(&self) -> Vec<Place> {
        let halves = points(self.n_entrants, self.rounds, self.games);
        let buchholz = |entrant: usize| {
            let meetings = self.rounds.iter().flat_map(|round| &round.meetings);
            let opponent = |meeting: &Meeting| match meeting.players {
                [first, second] if first == entrant => Some(second),
                [first, second] if second == entrant => Some(first),
                _ => None,
            };
            meetings
                .filter_map(opponent)
                .map(|opponent| halves[opponent])
                .sum()
        };
        let place = |entrant: usize| Place {
            entrant,
            halves: halves[entrant],
            buchholz: buchholz(entrant),
        };
        let mut places: Vec<Place> = (0..self.n_entrants).map(place).collect();
        places.sort_by_key(|place| Reverse((place.halves, place.buchholz)));
        places
    }
}
