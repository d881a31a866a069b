//! Swiss pairings: all entrants play every round, against opponents with about equal scores.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::matching::Matching;
use super::round::{Round, points};

/// Pairs the next round. Entrants are ranked by points, then by number. From the top down, each is paired with the first
/// candidate that it has not met and that allows the others to be paired without repeats. Candidates are, in order: the
/// second half of those with equal points from its top, the first half from its bottom, then those with fewer points by
/// rank.
///
/// With an odd number of entrants, the lowest ranked of those with the fewest byes gets a bye. If repeats cannot be
/// avoided, entrants that have met least often may meet again. `games` is the number of games of each meeting.
pub(super) fn next_round(n_entrants: usize, rounds: &[Round], games: usize) -> Round {
    let points = points(n_entrants, rounds, games);
    let mut ranking: Vec<usize> = (0..n_entrants).collect();
    ranking.sort_by_key(|entrant| Reverse(points[*entrant]));
    let n_met = n_met(rounds);
    let most = n_met.values().copied().max().unwrap_or(0);
    for limit in 0..=most {
        let may_meet = |a: usize, b: usize| n_met.get(&key(a, b)).copied().unwrap_or(0) <= limit;
        for bye in byes(&ranking, rounds) {
            let players: Vec<usize> = ranking
                .iter()
                .copied()
                .filter(|entrant| Some(*entrant) != bye)
                .collect();
            if let Some(pairings) = pair(&players, &points, &may_meet) {
                return Round::new(pairings, bye.into_iter().collect());
            }
        }
    }
    unreachable!("with the last limit, any two players may be paired")
}

fn key(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// The number of meetings of each two entrants so far.
fn n_met(rounds: &[Round]) -> HashMap<(usize, usize), usize> {
    let mut n_met = HashMap::new();
    for meeting in rounds.iter().flat_map(|round| &round.meetings) {
        let [a, b] = meeting.players;
        *n_met.entry(key(a, b)).or_default() += 1;
    }
    n_met
}

/// The candidates for the bye, in order of preference; `[None]` for an even number of entrants.
fn byes(ranking: &[usize], rounds: &[Round]) -> Vec<Option<usize>> {
    if ranking.len().is_multiple_of(2) {
        return vec![None];
    }
    let n_byes = |entrant: &usize| {
        let had = |round: &&Round| round.byes.contains(entrant);
        rounds.iter().filter(had).count()
    };
    let mut candidates: Vec<usize> = ranking.iter().rev().copied().collect();
    candidates.sort_by_key(n_byes);
    candidates.into_iter().map(Some).collect()
}

/// Pairs an even number of players as described for [`next_round`]; `None` if they cannot all be paired.
fn pair(
    players: &[usize],
    points: &[usize],
    may_meet: &dyn Fn(usize, usize) -> bool,
) -> Option<Vec<[usize; 2]>> {
    let is_edge = |a: usize, b: usize| may_meet(players[a], players[b]);
    let mut matching = Matching::perfect(players.len(), &is_edge)?;
    let mut left: Vec<usize> = (0..players.len()).collect();
    let mut pairings = Vec::new();
    while !left.is_empty() {
        let top = left.remove(0);
        let n_equal = left
            .iter()
            .take_while(|at| points[players[**at]] == points[players[top]])
            .count();
        // The group includes `top` itself; its second half begins here.
        let second = n_equal.div_ceil(2).saturating_sub(1)..n_equal;
        let first = (0..second.start).rev();
        let order = second.chain(first).chain(n_equal..left.len());
        let mut opponents = order.filter(|at| is_edge(top, left[*at]));
        let at = opponents.find(|at| matching.fix(top, left[*at], &is_edge))?;
        pairings.push([players[top], players[left.remove(at)]]);
    }
    Some(pairings)
}
