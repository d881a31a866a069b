//! What a search has found, in the words of all searches: lines and scores.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use super::super::score::{DRAW, Score};
use super::super::uct::centi;
use super::super::{Line, Progress};
use super::Plan;
use super::node::Node;
use super::worker::from_child;
use crate::Evaluate;

impl<G: Evaluate> Plan<'_, G> {
    /// How far the search has come; the depth is the length of the best line.
    pub(super) fn progress(&self, longest_line: usize) -> Progress<G::Move> {
        let mut roots: Vec<Node<'_>> = self.roots().collect();
        roots.sort_by_key(|child| Reverse(rank(*child)));
        let asked = roots.iter().take(self.request.n_lines.max(1));
        let lines: Vec<Line<G::Move>> = asked.map(|child| self.line(*child)).collect();
        Progress {
            depth: lines[0].pv.len() as u32,
            seldepth: longest_line as u32,
            lines,
            nodes: self.games.load(Relaxed),
            time: self.started.elapsed(),
            hashfull: self.tree.fullness(),
            notes: Vec::new(),
        }
    }

    /// A move at the root and what is expected after it.
    fn line(&self, child: Node<'_>) -> Line<G::Move> {
        let mut history = self.history.clone();
        let mut pv = Vec::new();
        let mut next = Some(child);
        while let Some(node) = next {
            let mv = self.moves.get(&history, node.index());
            pv.push(mv);
            history.play(mv);
            let children = self.tree.children(node).iter();
            let best = children.max_by_key(|child| rank(*child));
            next = best.filter(|child| child.own().visits > 0);
        }
        if history.outcome().is_none() {
            pv.extend(history.game().win_in_one(history.position()));
        }
        Line::exact(score(child), pv)
    }
}

/// What a move is worth to the player who makes it.
fn score(child: Node<'_>) -> Score {
    match child.known() {
        Some(score) => from_child(score),
        None => centi(child.own().share()),
    }
}

/// The higher, the better the move: the nearest sure win before others, sure losses last and the farthest of them
/// first, all else by how often it was visited.
fn rank(child: Node<'_>) -> (Score, u32) {
    let known = child.known().map_or(DRAW, from_child);
    (known, child.own().visits)
}
