//! The state of a tree search in the terms of all searches: lines and scores.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use super::super::score::Score;
use super::super::{Line, Progress};
use super::node::Node;
use super::selection::{Ranking, from_child};
use super::tree_search::TreeSearch;
use crate::Evaluate;

impl<G: Evaluate> TreeSearch<'_, G> {
    /// The best lines so far. The depth is the length of the best line.
    pub(super) fn progress(&self, longest_line: usize) -> Progress<G::Move> {
        let mut roots: Vec<Node<'_>> = self.roots().collect();
        let ranking = Ranking::new(roots.iter().copied());
        // Other threads change the counts meanwhile, so each rank is read once: a sort whose keys change may panic.
        roots.sort_by_cached_key(|child| Reverse(ranking.of(*child)));
        let asked = roots.iter().take(self.request.n_lines.max(1));
        let lines: Vec<Line<G::Move>> = asked.map(|child| self.line(*child)).collect();
        Progress {
            depth: lines[0].pv.len() as u32,
            seldepth: longest_line as u32,
            lines,
            nodes: self.games.load(Relaxed),
            time: self.started.elapsed(),
            hashfull: self.pool.fullness(),
            tb_hits: 0,
            notes: Vec::new(),
        }
    }

    /// A root move with the moves expected after it.
    fn line(&self, child: Node<'_>) -> Line<G::Move> {
        let mut history = self.history.clone();
        let mut pv = Vec::new();
        let mut next = Some(child);
        while let Some(node) = next {
            let mv = self.moves.get(&history, node.move_index());
            pv.push(mv);
            history.play(mv);
            let children = self.pool.children(node).iter();
            let ranking = Ranking::new(self.pool.children(node).iter());
            let best = children.max_by_key(|child| ranking.of(*child));
            next = best.filter(|child| child.own().visits > 0);
        }
        if history.outcome().is_none() {
            pv.extend(history.game().win_in_one(history.position()));
        }
        Line::exact(score(child), pv)
    }
}

/// The score of a move for the player who makes it.
fn score(child: Node<'_>) -> Score {
    match child.proven() {
        Some(score) => from_child(score),
        None => centi(child.own().share()),
    }
}

/// Converts a share of points to a score: the Elo difference that predicts this share.
fn centi(share: f64) -> Score {
    (400.0 * (share / (1.0 - share)).log10()) as Score
}

#[cfg(test)]
mod tests {
    use super::centi;

    #[test]
    fn shares_score_around_zero() {
        assert_eq!(centi(0.5), 0);
        assert!(centi(0.9) > 300 && centi(0.1) < -300);
    }
}
