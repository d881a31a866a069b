//! The order of a node's moves.

use super::super::score::{DRAW, Score};
use super::node::Node;

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
