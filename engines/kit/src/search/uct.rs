//! Plain UCT (Kocsis and Szepesvári 2006) with random playouts and no knowledge beyond the rules.
//!
//! The other searches are measured against this baseline.

use super::control::StopCheck;
use super::score::Score;
use super::{Control, Limits, Line};
use crate::{Game, Outcome, PositionHistory};

/// Weight of the exploration term in the upper confidence bound.
const EXPLORATION: f64 = 1.4;
/// Length in plies at which a playout counts as a draw.
const LONGEST_PLAYOUT: usize = 1_000;
/// Playouts between checks of the clock.
const POLL_INTERVAL: u64 = 8;

/// A move and the position after it.
#[derive(Debug)]
struct UctNode<M> {
    mv: M,
    visits: u32,
    /// Points of the player who made the move: 2 for a win, 1 for a draw.
    points: u64,
    /// Node indices of the moves from here; empty until the second visit.
    children: std::ops::Range<usize>,
}

/// A tree that grows with each playout.
pub(super) struct UctTree<'a, G: Game> {
    history: PositionHistory<G>,
    root_moves: &'a [G::Move],
    /// All nodes. The root's children come first; siblings are contiguous.
    nodes: Vec<UctNode<G::Move>>,
    max_nodes: usize,
    rng: fastrand::Rng,
    /// Visits of the root.
    playouts: u64,
    /// Moves made in the tree and in playouts.
    pub(super) positions: u64,
    longest_line: usize,
}

impl<'a, G: Game> UctTree<'a, G> {
    /// Creates a tree of at most `mib` MiB for a position that has moves.
    pub(super) fn new(
        history: PositionHistory<G>,
        root_moves: &'a [G::Move],
        mib: usize,
        seed: u64,
    ) -> UctTree<'a, G> {
        let mut tree = UctTree {
            history,
            root_moves,
            nodes: Vec::new(),
            max_nodes: (mib << 20) / size_of::<UctNode<G::Move>>(),
            rng: fastrand::Rng::with_seed(seed),
            playouts: 0,
            positions: 0,
            longest_line: 0,
        };
        tree.add(root_moves);
        tree
    }

    /// Runs at least one playout, until a limit or `control` ends the search. UCT has no depth, so a depth limit allows
    /// 1,000 playouts per ply.
    pub(super) fn grow(&mut self, limits: &Limits, control: &Control) {
        let playouts = limits
            .depth
            .map_or(u64::MAX, |depth| u64::from(depth) * 1_000);
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let check = StopCheck {
            control,
            max_nodes: playouts,
            interval: POLL_INTERVAL,
        };
        let is_late = || control.is_past(limits.budget.soft());
        loop {
            self.play_once();
            if self.positions >= nodes || check.must_stop(self.playouts, is_late) {
                return;
            }
        }
    }

    /// The line of the most visited moves, scored by the points of its first move.
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
        let pv = pv.into_iter().map(|i| self.nodes[i].mv).collect();
        Line::exact(centi(share), pv)
    }

    /// Length of the longest line in the tree, in plies.
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
            self.nodes[node].points += u64::from(outcome.half_points(mover));
            self.history.undo();
        }
        self.playouts += 1;
    }

    /// The child to visit next: a random one without visits, otherwise the one with the highest upper confidence bound.
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

    /// Adds a node for each move if there is memory for them.
    fn add(&mut self, moves: &[G::Move]) -> std::ops::Range<usize> {
        let start = self.nodes.len();
        let is_room = start + moves.len() <= self.max_nodes;
        if start == 0 || is_room && self.nodes.try_reserve(moves.len()).is_ok() {
            let node = |&mv| UctNode {
                mv,
                visits: 0,
                points: 0,
                children: 0..0,
            };
            self.nodes.extend(moves.iter().map(node));
        }
        start..self.nodes.len()
    }

    /// Plays random moves to the end of the game and takes them back.
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

/// Converts a share of points to a score: the Elo difference that predicts this share.
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
