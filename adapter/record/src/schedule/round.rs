//! Rounds of a Swiss tournament: meetings and their results.

use crate::game::GameResult;

/// A round of a Swiss tournament.
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
        for (at, point) in meeting.halves.iter_mut().enumerate() {
            *point += halves[at ^ usize::from(is_swapped)];
        }
    }
}

/// The games of two players in one round. Points are counted in halves: a win is 2.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Meeting {
    /// The players, as indices of entrants.
    pub players: [usize; 2],
    /// Half points of each player.
    pub halves: [usize; 2],
}

/// The half points of each entrant. A bye counts as a tied meeting of `games` games.
pub(super) fn points(n_entrants: usize, rounds: &[Round], games: usize) -> Vec<usize> {
    let mut points = vec![0; n_entrants];
    let mut add = |entrant: usize, halves: usize| points[entrant] += halves;
    for round in rounds {
        for meeting in &round.meetings {
            let both = meeting.players.into_iter().zip(meeting.halves);
            both.for_each(|(player, halves)| add(player, halves));
        }
        round.byes.iter().for_each(|entrant| add(*entrant, games));
    }
    points
}

/// The usual number of rounds: the base-2 logarithm of the number of entrants, rounded up.
pub fn n_rounds(n_entrants: usize) -> usize {
    n_entrants.next_power_of_two().ilog2() as usize
}
