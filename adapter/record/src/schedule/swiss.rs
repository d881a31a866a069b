//! Swiss pairings: a function of the results so far, which does not depend on how or when the games were played.
//!
//! Before each round the players are ordered by points, then by number. With an odd number of players, the lowest of
//! those with the fewest byes has one. From the top down, each player meets the first candidate with whom the others can
//! still be paired, with as few repeated meetings in the round as possible. The candidates are, in order: of the players
//! with equal points, the second half from its top, then the first half from its bottom; then the players with fewer
//! points, from the top.

use std::cmp::Reverse;

use kit::Side;

use crate::game::GameResult;
use crate::stats::Wdl;

/// Number of choices that a search for a round may make. All pairings of 12 players are fewer.
const MAX_STEPS: usize = 100_000;

/// A round of a Swiss match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Round {
    /// The meetings of the round.
    pub meetings: Vec<Meeting>,
    /// The player with a bye.
    pub bye: Option<usize>,
}

/// The games of two players in one round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Meeting {
    /// The players, as indices.
    pub players: [usize; 2],
    /// Half points of each player: a win is 2.
    pub halves: [usize; 2],
}

impl Round {
    /// Adds the result of a game of these players.
    pub(super) fn count(&mut self, players: [usize; 2], result: GameResult) {
        let won = Side::BOTH.map(|side| Wdl::of(result, side).halves());
        let mut meetings = self.meetings.iter_mut();
        if let Some(meeting) = meetings.find(|meeting| meeting.players.contains(&players[0])) {
            let is_swapped = usize::from(meeting.players[0] != players[0]);
            meeting.halves[is_swapped] += won[0];
            meeting.halves[1 - is_swapped] += won[1];
        }
    }
}

/// The standing of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The index of the player.
    pub player: usize,
    /// Half points. A bye counts as a tied meeting.
    pub halves: usize,
    /// Buchholz tie-break: the sum of the opponents' half points.
    pub buchholz: usize,
}

/// The players ranked by points, then Buchholz score, then number. `games` is the number of games of each meeting.
pub fn places(n_players: usize, rounds: &[Round], games: usize) -> Vec<Place> {
    let halves = points(n_players, rounds, games);
    let mut buchholz = vec![0; n_players];
    let meetings = rounds.iter().flat_map(|round| &round.meetings);
    for [first, second] in meetings.map(|meeting| meeting.players) {
        buchholz[first] += halves[second];
        buchholz[second] += halves[first];
    }
    let place = |player| Place {
        player,
        halves: halves[player],
        buchholz: buchholz[player],
    };
    let mut places: Vec<Place> = (0..n_players).map(place).collect();
    places.sort_by_key(|place| Reverse((place.halves, place.buchholz)));
    places
}

/// The next round, without results. `games` is the number of games of each meeting.
pub(super) fn next_round(n_players: usize, rounds: &[Round], games: usize) -> Round {
    let mut search = Search::new(n_players, rounds, games);
    let mut n_repeats = 0;
    loop {
        match search.round(n_repeats) {
            Some(round) => return round,
            // Out of time. The first choices lead to a round, which may have more repeats than necessary.
            None if search.n_left == 0 => n_repeats = usize::MAX,
            None => n_repeats += 1,
        }
    }
}

/// The half points of each player. A bye counts as a tied meeting of `games` games.
fn points(n_players: usize, rounds: &[Round], games: usize) -> Vec<usize> {
    let mut points = vec![0; n_players];
    for round in rounds {
        for Meeting { players, halves } in &round.meetings {
            points[players[0]] += halves[0];
            points[players[1]] += halves[1];
        }
        round
            .bye
            .into_iter()
            .for_each(|player| points[player] += games);
    }
    points
}

/// A search for a round with few repeated meetings, by backtracking.
struct Search {
    points: Vec<usize>,
    /// The players by points, then by number.
    ranking: Vec<usize>,
    /// The candidates for the bye in order of preference; `[None]` for an even number of players.
    byes: Vec<Option<usize>>,
    /// The meetings of each two players above those of the two that have met least often.
    repeats: Vec<Vec<usize>>,
    /// Number of choices left.
    n_left: usize,
}

impl Search {
    fn new(n_players: usize, rounds: &[Round], games: usize) -> Search {
        let points = points(n_players, rounds, games);
        let mut ranking: Vec<usize> = (0..n_players).collect();
        ranking.sort_by_key(|player| Reverse(points[*player]));
        let mut n_byes = vec![0; n_players];
        let mut repeats = vec![vec![0; n_players]; n_players];
        for round in rounds {
            for [a, b] in round.meetings.iter().map(|meeting| meeting.players) {
                repeats[a][b] += 1;
                repeats[b][a] += 1;
            }
            round.bye.into_iter().for_each(|player| n_byes[player] += 1);
        }
        // The least number of times that two players have met.
        let others = |(player, row): (usize, &Vec<usize>)| row[..player].iter().copied().min();
        let fewest = repeats.iter().enumerate().filter_map(others).min();
        repeats
            .iter_mut()
            .flatten()
            .for_each(|n_met| *n_met = n_met.saturating_sub(fewest.unwrap_or(0)));
        let lowest = ranking.iter().rev().copied();
        let lowest = lowest.filter(|player| n_byes.iter().min() == Some(&n_byes[*player]));
        Search {
            byes: match n_players.is_multiple_of(2) {
                true => vec![None],
                false => lowest.map(Some).collect(),
            },
            points,
            ranking,
            repeats,
            n_left: 0,
        }
    }

    /// A round with at most this number of repeats; `None` if there is none, or if it is not found in time.
    fn round(&mut self, n_repeats: usize) -> Option<Round> {
        self.n_left = MAX_STEPS;
        for bye in self.byes.clone() {
            let players = self.ranking.iter().copied();
            let players: Vec<usize> = players.filter(|player| Some(*player) != bye).collect();
            let mut meetings = Vec::new();
            if self.pair(&players, n_repeats, &mut meetings) {
                return Some(Round { meetings, bye });
            }
        }
        None
    }

    /// Pairs these players, an even number by rank.
    fn pair(&mut self, players: &[usize], n_repeats: usize, meetings: &mut Vec<Meeting>) -> bool {
        let Some((&top, others)) = players.split_first() else {
            return true;
        };
        for at in self.candidates(top, others) {
            if self.n_left == 0 {
                return false;
            }
            let other = others[at];
            let Some(n_left) = n_repeats.checked_sub(self.repeats[top][other]) else {
                continue;
            };
            self.n_left -= 1;
            meetings.push(Meeting {
                players: [top, other],
                ..Meeting::default()
            });
            let rest = [&others[..at], &others[at + 1..]].concat();
            if self.pair(&rest, n_left, meetings) {
                return true;
            }
            meetings.pop();
        }
        false
    }

    /// The indices of the candidates for a player, in order of preference: those met least often first.
    fn candidates(&self, top: usize, others: &[usize]) -> Vec<usize> {
        let is_equal = |other: &&usize| self.points[**other] == self.points[top];
        let n_equal = others.iter().take_while(is_equal).count();
        // The group includes `top` itself; its second half begins here.
        let second = n_equal.div_ceil(2).saturating_sub(1);
        let first = (0..second).rev();
        let order = (second..n_equal).chain(first).chain(n_equal..others.len());
        let mut order: Vec<usize> = order.collect();
        order.sort_by_key(|at| self.repeats[top][others[*at]]);
        order
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    /// The least number of meetings that the players of `left`, a set of bits, have had in any pairing.
    fn least(left: usize, n_met: &[Vec<usize>], known: &mut [Option<usize>]) -> usize {
        if left == 0 {
            return 0;
        }
        if let Some(known) = known[left] {
            return known;
        }
        let top = left.trailing_zeros() as usize;
        let others = (top + 1..n_met.len()).filter(|other| left & 1 << other != 0);
        let with = |other: usize| {
            n_met[top][other] + least(left & !(1 << top) & !(1 << other), n_met, known)
        };
        let found = others.map(with).min().expect("an even number of players");
        known[left] = Some(found);
        found
    }

    /// Tournaments with random results, up to 12 players and 11 rounds.
    #[test]
    fn each_round_has_the_fewest_repeats_that_any_pairing_has() {
        let mut rng = Rng::with_seed(1);
        let mut n_repeated = 0;
        for n_players in 2..=12 {
            for _ in 0..20 {
                let mut rounds: Vec<Round> = Vec::new();
                let mut n_met = vec![vec![0; n_players]; n_players];
                let mut n_byes = vec![0; n_players];
                for _ in 0..11 {
                    let mut round = next_round(n_players, &rounds, 2);
                    assert_eq!(round, next_round(n_players, &rounds, 2));
                    let players = || round.meetings.iter().flat_map(|meeting| meeting.players);
                    let mut all: Vec<usize> = players().chain(round.bye).collect();
                    all.sort_unstable();
                    assert_eq!(all, Vec::from_iter(0..n_players), "each once: {round:?}");

                    let fewest_byes = n_byes.iter().copied().min().unwrap_or(0);
                    let may_rest = |player: &usize| n_byes[*player] == fewest_byes;
                    assert!(round.bye.iter().all(may_rest), "{n_byes:?}: {round:?}");
                    let everybody = (1 << n_players) - 1;
                    let mut known = vec![None; 1 << n_players];
                    let fewest = match round.bye {
                        None => least(everybody, &n_met, &mut known),
                        Some(_) => (0..n_players)
                            .filter(may_rest)
                            .map(|player| least(everybody & !(1 << player), &n_met, &mut known))
                            .min()
                            .expect("somebody may rest"),
                    };
                    let own = round.meetings.iter().map(|meeting| meeting.players);
                    let own: usize = own.map(|[a, b]| n_met[a][b]).sum();
                    assert_eq!(own, fewest, "{n_met:?}: {round:?}");
                    n_repeated += usize::from(fewest > 0);

                    for [a, b] in round.meetings.clone().iter().map(|meeting| meeting.players) {
                        n_met[a][b] += 1;
                        n_met[b][a] += 1;
                        let results = [GameResult::P1Win, GameResult::P2Win, GameResult::Draw];
                        round.count([a, b], results[rng.usize(..3)]);
                        round.count([b, a], results[rng.usize(..3)]);
                    }
                    round.bye.into_iter().for_each(|player| n_byes[player] += 1);
                    rounds.push(round);
                }
            }
        }
        assert!(n_repeated > 100, "{n_repeated}");
    }

    /// The search for a round ends in time for any field.
    #[test]
    fn a_large_field_is_paired() {
        let mut rng = Rng::with_seed(2);
        for n_players in [40, 41, 301] {
            let mut rounds: Vec<Round> = Vec::new();
            for _ in 0..12 {
                let mut round = next_round(n_players, &rounds, 2);
                for [a, b] in round.meetings.clone().iter().map(|meeting| meeting.players) {
                    let met = rounds.iter().flat_map(|round| &round.meetings);
                    let is_new = |meeting: &Meeting| {
                        !(meeting.players.contains(&a) && meeting.players.contains(&b))
                    };
                    assert!(met.into_iter().all(is_new), "{a} and {b} have met");
                    let winner = if rng.bool() { [a, b] } else { [b, a] };
                    round.count(winner, GameResult::P1Win);
                }
                rounds.push(round);
            }
        }
    }
}
