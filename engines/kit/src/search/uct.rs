//! Plain UCT (Kocsis and Szepesvári 2006): random playouts, no knowledge of the game but its rules.
//!
//! What a general game system gives for nothing, kept as the baseline that a real search has to beat.

use std::time::Duration;

use super::score::Score;
use super::{Control, Limits, Line};
use crate::{Game, Outcome, PositionHistory, Side};

/// How much untried moves are preferred to good ones.
const EXPLORATION: f64 = 1.4;
/// A playout that goes on for so long is a draw.
const LONGEST_PLAYOUT: usize = 1_000;
/// How often, in playouts, the clock is looked at.
const POLL: u64 = 8;

/// A position reached by a move from its parent.
#[derive(Debug)]
struct Node<M> {
    mv: M,
    visits: u32,
    /// Points of the player who made the move: 2 a win, 1 a draw.
    points: u64,
    /// Shape: the indices of the moves from here; empty until the second visit.
    children: std::ops::Range<usize>,
}

/// A tree that grows by one playout at a time.
pub(super) struct Tree<'a, G: Game> {
    history: PositionHistory<G>,
    root_moves: &'a [G::Move],
    /// The root's children come first; a node's children stand together.
    nodes: Vec<Node<G::Move>>,
    max_nodes: usize,
    rng: fastrand::Rng,
    /// Visits of the root.
    playouts: u64,
    /// Positions made.
    pub(super) positions: u64,
    longest_line: usize,
}

impl<'a, G: Game> Tree<'a, G> {
    /// A tree of the position, whose moves are at least one, in at most so many MiB.
    pub(super) fn new(
        history: PositionHistory<G>,
        root_moves: &'a [G::Move],
        mib: usize,
        seed: u64,
    ) -> Tree<'a, G> {
        let mut tree = Tree {
            history,
            root_moves,
            nodes: Vec::new(),
            max_nodes: (mib << 20) / size_of::<Node<G::Move>>(),
            rng: fastrand::Rng::with_seed(seed),
            playouts: 0,
            positions: 0,
            longest_line: 0,
        };
        tree.add(root_moves);
        tree
    }

    /// Grows until a limit or `control` ends it, at least once. Depth has no meaning here: so many thousand
    /// playouts stand for a ply.
    pub(super) fn grow(&mut self, limits: &Limits, control: &Control) {
        let playouts = limits
            .depth
            .map_or(u64::MAX, |depth| u64::from(depth) * 1_000);
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let hard = limits.budget.map(|budget| budget.soft.min(budget.hard));
        let is_late = |hard: Duration| control.elapsed().is_some_and(|elapsed| elapsed >= hard);
        loop {
            self.play_once();
            let is_over =
                self.playouts >= playouts || self.positions >= nodes || control.is_stopped();
            if is_over || self.playouts.is_multiple_of(POLL) && hard.is_some_and(is_late) {
                return;
            }
        }
    }

    /// The line of the most visited moves and how it scores.
    pub(super) fn best(&self) -> Line<G::Move> {
        let mut pv = Vec::new();
        let mut children = 0..self.root_moves.len();
        while let Some(best) = children
            .max_by_key(|&i| self.nodes[i].visits)
            .filter(|&i| self.nodes[i].visits > 0)
        {
            pv.push(best);
            children = self.nodes[best].children.clone();
        }
        let first = &self.nodes[pv[0]];
        let share = (first.points as f64 + 1.0) / (f64::from(first.visits) * 2.0 + 2.0);
        Line {
            score: centi(share),
            pv: pv.into_iter().map(|i| self.nodes[i].mv).collect(),
        }
    }

    /// Plies of the longest line in the tree.
    pub(super) fn depth(&self) -> usize {
        self.longest_line
    }

    fn play_once(&mut self) {
        let mut path = Vec::new();
        let mut children = 0..self.root_moves.len();
        while self.history.outcome().is_none() && !children.is_empty() {
            let chosen = self.choose(children);
            self.history.play(self.nodes[chosen].mv);
            self.positions += 1;
            path.push((chosen, self.history.side().other()));
            if self.nodes[chosen].visits == 1 && self.history.outcome().is_none() {
                let moves = self.history.moves();
                self.nodes[chosen].children = self.add(&moves);
            }
            children = self.nodes[chosen].children.clone();
        }
        self.longest_line = self.longest_line.max(path.len());
        let outcome = self.playout();
        for (node, mover) in path {
            self.nodes[node].visits += 1;
            self.nodes[node].points += points(outcome, mover);
            self.history.undo();
        }
        self.playouts += 1;
    }

    /// The child that is worth the next visit: one without visits, or the highest upper confidence bound.
    fn choose(&mut self, children: std::ops::Range<usize>) -> usize {
        let fresh = children
            .clone()
            .filter(|&i| self.nodes[i].visits == 0)
            .count();
        if fresh > 0 {
            let nth = self.rng.usize(..fresh);
            let mut unvisited = children.filter(|&i| self.nodes[i].visits == 0);
            return unvisited.nth(nth).expect("there are that many");
        }
        let total: f64 = children
            .clone()
            .map(|i| f64::from(self.nodes[i].visits))
            .sum();
        let bound = |i: usize| {
            let (visits, points) = (f64::from(self.nodes[i].visits), self.nodes[i].points as f64);
            points / (2.0 * visits) + EXPLORATION * (total.ln() / visits).sqrt()
        };
        children
            .max_by(|&a, &b| bound(a).total_cmp(&bound(b)))
            .expect("there are children")
    }

    /// Adds nodes for moves, as far as there is room.
    fn add(&mut self, moves: &[G::Move]) -> std::ops::Range<usize> {
        let start = self.nodes.len();
        if start == 0 || start + moves.len() <= self.max_nodes {
            let node = |&mv| Node {
                mv,
                visits: 0,
                points: 0,
                children: 0..0,
            };
            self.nodes.extend(moves.iter().map(node));
        }
        start..self.nodes.len()
    }

    /// Plays random moves to the end, and takes them back.
    fn playout(&mut self) -> Outcome {
        let mut moves = Vec::new();
        let mut plies = 0;
        let outcome = loop {
            match self.history.outcome() {
                Some(outcome) => break outcome,
                None if plies == LONGEST_PLAYOUT => break Outcome::Draw,
                None => {}
            }
            moves.clear();
            self.history
                .game()
                .moves(self.history.position(), &mut moves);
            self.history.play(moves[self.rng.usize(..moves.len())]);
            plies += 1;
        };
        self.positions += plies as u64;
        self.history.rewind(self.history.ply() - plies);
        outcome
    }
}

fn points(outcome: Outcome, side: Side) -> u64 {
    match outcome {
        Outcome::Draw => 1,
        Outcome::Win(winner) if winner == side => 2,
        Outcome::Win(_) => 0,
    }
}

/// The share of points as a score: the advantage that gives such a share by the Elo scale.
pub(super) fn centi(share: f64) -> Score {
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
