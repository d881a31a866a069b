//! One thread of the search: selects a leaf, plays random games from it, and adds the results to the tree.

use std::array;

use fastrand::Rng;

use super::super::score::{DRAW, Score, loss_in, mate_distance, win_in};
use super::deferred::DeferredUpdates;
use super::node::{Node, Nodes, Tally};
use super::selection::{Ranking, from_child};
use super::selection::{best, best_of};
use super::tree_search::{GAMES_PER_LEAF, TreeSearch};
use crate::playout::{AmafMoves, Playout};
use crate::policy::softmax;
use crate::{Evaluate, Outcome, PositionHistory};

/// Initial AMAF wins of the move with the largest policy probability. Other moves have fewer, by the square root of the
/// ratio of their probabilities.
const PRIOR_WINS: f32 = 60.0;

/// The state of one search thread.
pub(super) struct MctsWorker<'a, G: Evaluate> {
    history: PositionHistory<G>,
    search: &'a TreeSearch<'a, G>,
    playout: Box<dyn Playout<G>>,
    rng: Rng,
    /// The games from the current leaf. If the limit allows fewer, the rest have no moves.
    games: [RandomGame; GAMES_PER_LEAF],
    deferred: DeferredUpdates<'a>,
    /// The nodes from the root to the current leaf.
    path: Vec<PathStep<'a>>,
    legal_moves: Vec<G::Move>,
    /// The policy's probabilities of a position's moves.
    shares: Vec<f32>,
    n_leaves: usize,
    /// Plies of the longest path so far.
    pub(super) longest_line: usize,
    /// Nodes on the paths of all games.
    pub(super) n_positions: u64,
}

/// The outcome of a game through the tree, and the moves after the current node.
struct RandomGame {
    outcome: Outcome,
    amaf_moves: AmafMoves,
}

/// A node on the path.
struct PathStep<'a> {
    node: Node<'a>,
    /// Set if its results are deferred.
    is_deferred: bool,
}

impl<'a, G: Evaluate> MctsWorker<'a, G> {
    pub(super) fn new(
        history: PositionHistory<G>,
        search: &'a TreeSearch<'a, G>,
        playout: Box<dyn Playout<G>>,
        seed: u64,
    ) -> MctsWorker<'a, G> {
        let n_indices = history.game().n_move_indices();
        let game = |_| RandomGame {
            outcome: Outcome::Draw,
            amaf_moves: AmafMoves::new(n_indices),
        };
        MctsWorker {
            history,
            search,
            playout,
            rng: Rng::with_seed(seed),
            games: array::from_fn(game),
            deferred: DeferredUpdates::new(search.n_threads),
            path: Vec::new(),
            legal_moves: Vec::new(),
            shares: Vec::new(),
            n_leaves: 0,
            longest_line: 0,
            n_positions: 0,
        }
    }

    /// Expands the root if it has no children.
    pub(super) fn expand_root(&mut self) {
        self.expand(self.search.pool.root());
    }

    /// Plays 1 to [`GAMES_PER_LEAF`] games through one leaf.
    pub(super) fn play_games(&mut self, n_games: usize) {
        for game in &mut self.games {
            game.amaf_moves.clear();
        }
        self.descend(n_games);
        self.longest_line = self.longest_line.max(self.path.len() - 1);
        self.n_positions += (n_games * self.path.len()) as u64;
        self.n_leaves += 1;
        self.backpropagate(n_games);
    }

    /// Descends to a leaf, and stores the outcome of the leaf if it is proven, or of random games.
    fn descend(&mut self, n_games: usize) {
        let pool = self.search.pool;
        self.path.clear();
        let mut node = pool.root();
        loop {
            let is_deferred = self.deferred.defers(node);
            self.path.push(PathStep { node, is_deferred });
            let visits = if is_deferred {
                node.own().visits
            } else {
                node.visit(n_games as u32)
            };
            let is_first = visits == n_games as u32;
            if let Some(outcome) = self.proven_outcome(node, is_first) {
                return self.set_outcome(outcome);
            }
            if node.block().is_none() {
                // The thread with the first visit proves the end of the game, perhaps only after this visit began.
                if !is_first && let Some(outcome) = self.history.outcome() {
                    return self.set_outcome(outcome);
                }
                if pool.is_worth_expanding(visits) {
                    self.expand(node);
                }
            }
            let children = pool.children(node);
            if children.is_empty() {
                return self.play_out(n_games);
            }
            node = self.select(children);
        }
    }

    fn set_outcome(&mut self, outcome: Outcome) {
        for game in &mut self.games {
            game.outcome = outcome;
        }
    }

    /// Plays random games from the current position.
    fn play_out(&mut self, n_games: usize) {
        let (history, rng) = (&self.history, &mut self.rng);
        for game in &mut self.games[..n_games] {
            game.outcome = self.playout.play(history, rng, &mut game.amaf_moves);
        }
    }

    /// The outcome of a proven position; `None` at the root and for other positions.
    fn proven_outcome(&self, node: Node<'_>, is_first_visit: bool) -> Option<Outcome> {
        // A proven root is still searched, because the engine must return a move.
        if self.path.len() == 1 {
            return None;
        }
        if is_first_visit && let Some(score) = self.immediate_score() {
            node.set_proven(score);
        }
        let side = self.history.side();
        node.proven().map(|score| match score {
            DRAW => Outcome::Draw,
            score if score > DRAW => Outcome::Win(side),
            _ => Outcome::Win(side.other()),
        })
    }

    /// The score of a position that is over or won with the next move; `None` for others.
    fn immediate_score(&self) -> Option<Score> {
        let (game, position) = (self.history.game(), self.history.position());
        match self.history.outcome() {
            Some(Outcome::Draw) => Some(DRAW),
            Some(Outcome::Win(side)) if side == self.history.side() => Some(win_in(0)),
            Some(Outcome::Win(_)) => Some(loss_in(0)),
            None => game.win_in_one(position).map(|_| win_in(1)),
        }
    }

    fn expand(&mut self, node: Node<'_>) {
        let (game, position) = (self.history.game(), self.history.position());
        self.legal_moves.clear();
        game.moves(position, &mut self.legal_moves);
        let moves = &self.search.moves;
        let indices = self.legal_moves.iter().map(|&mv| moves.register(game, mv));
        if self.search.pool.expand(node, indices) {
            self.add_priors(self.search.pool.children(node));
        }
    }

    /// Stores the policy's probabilities of the moves, and the AMAF wins derived from them.
    fn add_priors(&mut self, children: Nodes<'_>) {
        let Some(features) = self.history.game().policy_features() else {
            return;
        };
        let Some(policy) = features.policy() else {
            return;
        };
        let shares = &mut self.shares;
        shares.clear();
        let add = &mut |_, features: &[u16]| shares.push(policy.logit(features));
        features.move_features(&self.history, add);
        softmax(shares);
        let largest = shares.iter().copied().fold(0.0, f32::max);
        for (child, &share) in children.iter().zip(&*shares) {
            child.set_prior(share);
            let wins = (PRIOR_WINS * (share / largest).sqrt()) as u32;
            child.add_amaf(Tally {
                visits: wins,
                points: 2 * wins,
            });
        }
    }

    /// Selects the child for the current game, plays its move and returns it.
    fn select(&mut self, children: Nodes<'a>) -> Node<'a> {
        let child = if self.path.len() > 1 {
            best_of(children)
        } else {
            self.select_at_root(children)
        };
        let mv = self.search.moves.get(&self.history, child.move_index());
        self.history.play(mv);
        child
    }

    /// Selects among the root's moves that are not proven. If several lines are requested, the games exclude in turn
    /// none, the best, the two best, ... of the moves, so that each line is searched as if there were no better one.
    fn select_at_root(&self, children: Nodes<'a>) -> Node<'a> {
        let search = self.search;
        let is_open = |node: &Node<'_>| node.proven().is_none();
        let n_better = self.n_leaves % search.request.n_lines.max(1);
        let found = if n_better == 0 && search.has_all_moves() {
            Some(best_of(children)).filter(is_open)
        } else if n_better == 0 {
            best(search.roots().filter(is_open))
        } else {
            let mut roots: Vec<Node<'_>> = search.roots().collect();
            let ranking = Ranking::new(search.roots());
            roots.sort_by_cached_key(|node| std::cmp::Reverse(ranking.of(*node)));
            best(roots.into_iter().skip(n_better).filter(is_open))
        };
        let found = found.or_else(|| best(search.roots().filter(is_open)));
        let found = found.or_else(|| best(search.roots()));
        found.expect("a position that goes on has moves")
    }

    /// Takes the moves back and adds the results to every node of the path.
    fn backpropagate(&mut self, n_games: usize) {
        let mut child_is_proven = false;
        while let Some(step) = self.path.pop() {
            let node = step.node;
            let children = self.search.pool.children(node);
            if child_is_proven {
                backup_proven(node, children);
            }
            child_is_proven = node.proven().is_some();
            self.update(&step, children, n_games);
            if !self.path.is_empty() {
                self.undo_move(node, n_games);
            }
        }
    }

    /// Adds the results to a node and, for AMAF, to its children, either at once or deferred.
    fn update(&mut self, step: &PathStep<'a>, children: Nodes<'a>, n_games: usize) {
        let &PathStep { node, is_deferred } = step;
        let side = self.history.side();
        let games = &self.games;
        let points = games.each_ref().map(|game| game.outcome.half_points(side));
        let others = games[..n_games].iter();
        let others_points = others
            .map(|game| game.outcome.half_points(side.other()))
            .sum();
        let amaf_of = |child: Node<'_>| {
            let index = child.move_index();
            let tallies = games.iter().zip(points).map(|(game, points)| {
                let visits = u32::from(game.amaf_moves.has(index, side));
                Tally {
                    visits,
                    points: visits * points,
                }
            });
            tallies.fold(Tally::default(), Tally::plus)
        };
        if is_deferred {
            let own = Tally {
                visits: n_games as u32,
                points: others_points,
            };
            self.deferred.add(node, children, own, amaf_of);
        } else {
            node.add(Tally {
                visits: 0,
                points: others_points,
            });
            let children = children.iter();
            children.for_each(|child| child.add_amaf(amaf_of(child)));
        }
    }

    /// Adds all deferred results to the tree.
    pub(super) fn flush(&mut self) {
        self.deferred.flush();
    }

    /// Takes back the move that led to a node and adds it to the AMAF moves.
    fn undo_move(&mut self, node: Node<'_>, n_games: usize) {
        let mv = self.history.undo().expect("a move led here");
        let side = self.history.side();
        for game in &mut self.games[..n_games] {
            if self.playout.resets_amaf(mv) {
                game.amaf_moves.clear();
            }
            game.amaf_moves.add(node.move_index(), side);
        }
    }
}

/// Stores the proven score of a node if its children prove one (MCTS-Solver; Winands, Björnsson and Saito 2008). An end
/// beyond [`MAX_PLY`](crate::search::MAX_PLY) has no score and is not stored.
pub(super) fn backup_proven(node: Node<'_>, children: Nodes<'_>) {
    let value = proven_value(children.iter());
    if let Some(score) = value.filter(|&score| score == DRAW || mate_distance(score).is_some()) {
        node.set_proven(score);
    }
}

/// The score of a position that its children prove: a win if one of them is lost, or the best of all if all are proven.
pub(super) fn proven_value<'a>(children: impl Iterator<Item = Node<'a>>) -> Option<Score> {
    let (mut best, mut are_all_proven) = (None, true);
    for child in children {
        match child.proven() {
            Some(score) => best = best.max(Some(from_child(score))),
            None => are_all_proven = false,
        }
    }
    best.filter(|&score| are_all_proven || score > DRAW)
}

#[cfg(test)]
mod tests {
    use super::super::node::NodeArrays;
    use super::*;
    use crate::search::MAX_PLY;

    /// The proven score of a parent with two children of this score.
    fn backed_up(score: Score) -> Option<Score> {
        let arrays = NodeArrays::new(3).expect("memory");
        let children = arrays.nodes(1..3);
        children.iter().for_each(|child| child.set_proven(score));
        let parent = arrays.nodes(0..1).get(0);
        backup_proven(parent, children);
        parent.proven()
    }

    #[test]
    fn an_end_beyond_the_longest_line_is_not_stored() {
        assert_eq!(backed_up(win_in(MAX_PLY - 1)), Some(loss_in(MAX_PLY)));
        assert_eq!(backed_up(loss_in(MAX_PLY - 1)), Some(win_in(MAX_PLY)));
        assert_eq!(backed_up(win_in(MAX_PLY)), None);
        assert_eq!(backed_up(loss_in(MAX_PLY)), None);
        assert_eq!(backed_up(DRAW), Some(DRAW));
    }
}
