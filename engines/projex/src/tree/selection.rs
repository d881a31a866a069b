//! The selection of the next move of a game in the tree, by its own results, AMAF and the policy, and the ranking of the
//! moves in the end.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use kit::search::SearchScore;

use super::nodes::{Nodes, Tally, prior};

/// Decreases the weight of AMAF as a move's own games grow; a larger value decreases it sooner.
const BIAS: f32 = 0.0003;
/// The bonus of a policy probability of 1 to the mean of a move without games.
const PRIOR_BONUS: f32 = 1.0;
/// Nodes whose values are calculated together, so that the compiler can use vector instructions.
const LANES: usize = 4;

/// The first of the nodes with the highest selection value; `None` if there are none.
pub(super) fn best(nodes: &Nodes, mut among: impl Iterator<Item = usize>) -> Option<usize> {
    let mut best = among.next()?;
    let mut highest = selection_value(nodes, best);
    for node in among {
        let value = selection_value(nodes, node);
        if value > highest {
            (best, highest) = (node, value);
        }
    }
    Some(best)
}

/// The same as [`best`] for siblings, some at a time.
#[inline]
pub(super) fn best_of(nodes: &Nodes, siblings: Range<usize>) -> usize {
    let (own, _) = nodes.own[siblings.clone()].as_chunks::<LANES>();
    let (amaf, _) = nodes.amaf[siblings.clone()].as_chunks::<LANES>();
    let (values, _) = nodes.values[siblings.clone()].as_chunks::<LANES>();
    let lanes = own.iter().zip(amaf).zip(values);
    let (mut best, mut highest, mut first) = (siblings.start, f32::MIN, siblings.start);
    for ((own, amaf), values) in lanes {
        let own = own.each_ref().map(Tally::load);
        let amaf = amaf.each_ref().map(Tally::load);
        let states = values.each_ref().map(|value| value.load(Relaxed));
        let mut values = [0.0; LANES];
        for (i, value) in values.iter_mut().enumerate() {
            *value = mean(own[i], amaf[i]) + bonus(own[i], prior(states[i]));
        }
        if states.iter().any(|&state| state as u16 != 0) {
            for (i, value) in values.iter_mut().enumerate() {
                *value = selection_value(nodes, first + i);
            }
        }
        for (i, value) in values.into_iter().enumerate() {
            if value > highest {
                (best, highest) = (first + i, value);
            }
        }
        first += LANES;
    }
    for node in first..siblings.end {
        let value = selection_value(nodes, node);
        if value > highest {
            (best, highest) = (node, value);
        }
    }
    best
}

/// The selection value: the share of games won by the player who makes the move, plus a bonus for the prior. Proven moves
/// have values outside this range.
#[inline]
fn selection_value(nodes: &Nodes, node: usize) -> f32 {
    match nodes.proven(node) {
        Some(score) if score < 0 => 2.0 + PRIOR_BONUS,
        Some(_) => -1.0,
        None => {
            let own = nodes.own(node);
            mean(own, nodes.amaf(node)) + bonus(own, nodes.prior(node))
        }
    }
}

/// The prior's addition to a move's mean; it decreases with the number of games.
#[inline]
fn bonus(own: Tally, prior: f32) -> f32 {
    PRIOR_BONUS * prior / (1.0 + own.visits as i32 as f32).sqrt()
}

/// Weighted mean of a move's own games and AMAF (RAVE; Gelly and Silver 2007). Without own games it is the AMAF mean,
/// and the weight of AMAF decreases with the number of own games.
#[inline]
fn mean(own: Tally, amaf: Tally) -> f32 {
    // Counts fit an i32, and vectors convert only these.
    let [own_visits, own_wins, amaf_visits, amaf_wins] =
        [own.visits, own.wins, amaf.visits, amaf.wins].map(|n| n as i32 as f32);
    let weight = 1.0 + BIAS * amaf_visits;
    (own_wins * weight + amaf_wins) / (own_visits * weight + amaf_visits)
}

/// Siblings, the best move first: proven wins, the nearest first; unproven moves by their visits; proven losses, the
/// nearest last.
pub(super) fn ranked(nodes: &Nodes, siblings: impl Iterator<Item = usize>) -> Vec<usize> {
    let rank = |&node: &usize| {
        let score = nodes.proven(node).map_or(0, from_child);
        Reverse((score, nodes.own(node).visits))
    };
    let mut siblings: Vec<usize> = siblings.collect();
    // Other threads change the counts meanwhile, so each rank is read once: a sort whose keys change may panic.
    siblings.sort_by_cached_key(rank);
    siblings
}

/// A child's score from the parent's point of view: the sign changes, and the end is one ply farther away.
pub(super) fn from_child(score: SearchScore) -> SearchScore {
    -score - (-score).signum()
}

#[cfg(test)]
mod tests {
    use kit::search::score::{loss_in, win_in};

    use super::*;

    /// For all numbers of nodes, with and without proven ones.
    #[test]
    fn siblings_are_selected_like_single_nodes() {
        let mut rng = fastrand::Rng::with_seed(1);
        for round in 0..2_000 {
            let n = rng.usize(1..40);
            let nodes = Nodes::new(1).expect("memory");
            nodes.expand(0, 0..n);
            for node in nodes.children(0) {
                nodes.set_prior(node, rng.f32());
                let mut tally = || {
                    let visits = rng.u32(..20);
                    let wins = rng.u32(..=visits);
                    Tally { visits, wins }
                };
                nodes.add(node, tally());
                nodes.add_amaf(node, tally());
                if round % 2 == 0 && rng.u8(..8) == 0 {
                    nodes.set_proven(node, [win_in(1), loss_in(2)][rng.usize(..2)]);
                }
            }
            let expected = best(&nodes, nodes.children(0));
            let found = best_of(&nodes, nodes.children(0));
            assert_eq!(Some(found), expected, "round {round}, {n} nodes");
        }
    }
}
