//! The selection of the next move of a game in the tree, by its own results, AMAF and the policy.

use super::super::score::{DRAW, Score};
use super::node::{Node, Nodes, Tally};

/// Decreases the weight of AMAF as a move's own games grow; a larger value decreases it sooner.
const BIAS: f32 = 0.0003;
/// Points that a policy probability of 1 adds to the mean of a move without games.
const PRIOR_BONUS: f32 = 2.0;
/// Nodes whose values are calculated together, so that the compiler can use vector instructions.
const LANES: usize = 4;

/// The first of the nodes with the highest selection value.
pub(super) fn best<'a>(mut nodes: impl Iterator<Item = Node<'a>>) -> Option<Node<'a>> {
    let mut best = nodes.next()?;
    let mut highest = selection_value(best);
    for node in nodes {
        let value = selection_value(node);
        if value > highest {
            (best, highest) = (node, value);
        }
    }
    Some(best)
}

/// The same as [`best`] for consecutive nodes, some at a time.
///
/// # Panics
/// If there are none.
#[inline]
pub(super) fn best_of(nodes: Nodes<'_>) -> Node<'_> {
    let (mut best, mut highest) = (0, f32::MIN);
    let mut first = 0;
    while let Some(lanes) = nodes.lanes::<LANES>(first) {
        let mut values = [0.0; LANES];
        for (i, value) in values.iter_mut().enumerate() {
            let (own, amaf) = (lanes.own[i], lanes.amaf[i]);
            *value = mean(own, amaf) + bonus(own, lanes.priors[i]);
        }
        if lanes.has_proven {
            for (i, value) in values.iter_mut().enumerate() {
                *value = selection_value(nodes.get(first + i));
            }
        }
        for (i, value) in values.into_iter().enumerate() {
            if value > highest {
                (best, highest) = (first + i, value);
            }
        }
        first += LANES;
    }
    for i in first..nodes.len() {
        let value = selection_value(nodes.get(i));
        if value > highest {
            (best, highest) = (i, value);
        }
    }
    nodes.get(best)
}

/// The selection value: mean points of a game, 0 to 2, for the player who makes the move, plus a bonus for the prior.
/// Proven moves have values outside this range: wins above, draws below because they need no more games, losses lowest.
#[inline]
fn selection_value(node: Node<'_>) -> f32 {
    match node.proven() {
        Some(score) if score < DRAW => 4.0 + PRIOR_BONUS,
        Some(score) if score > DRAW => -2.0,
        Some(_) => -1.0,
        None => {
            let own = node.own();
            mean(own, node.amaf()) + bonus(own, node.prior())
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
    let [own_visits, own_points, amaf_visits, amaf_points] =
        [own.visits, own.points, amaf.visits, amaf.points].map(|n| n as i32 as f32);
    let weight = 1.0 + BIAS * amaf_visits;
    let points = own_points * weight + amaf_points;
    points / (own_visits * weight + amaf_visits)
}

/// The ranking of siblings, the best move highest: proven wins, the nearest first; unproven moves by their visits;
/// proven losses, the nearest last. A proven draw gets no more visits, so it ranks above all unproven moves if the most
/// visited of them is at most even, and below them otherwise.
pub(super) struct Ranking {
    draw_rank: u32,
}

impl Ranking {
    pub(super) fn new<'a>(siblings: impl Iterator<Item = Node<'a>>) -> Ranking {
        let unproven = siblings.filter(|node| node.proven().is_none());
        let most_visited = unproven.max_by_key(|node| node.own().visits);
        let is_ahead = most_visited.is_some_and(|node| node.own().share() > 0.5);
        Ranking {
            draw_rank: if is_ahead { 0 } else { u32::MAX },
        }
    }

    pub(super) fn of(&self, node: Node<'_>) -> (Score, u32) {
        match node.proven() {
            Some(DRAW) => (DRAW, self.draw_rank),
            Some(score) => (from_child(score), node.own().visits),
            None => (DRAW, node.own().visits),
        }
    }
}

/// A child's score from the parent's point of view: the sign changes, and the end is one ply farther away.
pub(super) fn from_child(score: Score) -> Score {
    -score - (-score).signum()
}

#[cfg(test)]
mod tests {
    use super::super::super::score::{loss_in, win_in};
    use super::super::node::NodeArrays;
    use super::*;

    /// For all numbers of nodes, with and without proven ones.
    #[test]
    fn consecutive_nodes_are_selected_like_single_ones() {
        let mut rng = fastrand::Rng::with_seed(1);
        for round in 0..2_000 {
            let n = rng.usize(1..40);
            let arrays = NodeArrays::new(n).expect("memory");
            let nodes = arrays.nodes(0..n);
            for node in nodes.iter() {
                node.reset(0);
                node.set_prior(rng.f32());
                for add in [Node::add, Node::add_amaf] {
                    let visits = rng.u32(..20);
                    let points = rng.u32(..=2 * visits);
                    add(node, Tally { visits, points });
                }
                if round % 2 == 0 && rng.u8(..8) == 0 {
                    node.set_proven([win_in(1), DRAW, loss_in(2)][rng.usize(..3)]);
                }
            }
            let expected = best(nodes.iter()).expect("a node");
            assert!(best_of(nodes).is(expected), "round {round}, {n} nodes");
        }
    }
}
