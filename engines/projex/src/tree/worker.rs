//! One thread of the search: selects a leaf, plays random games from it, and adds the results to the tree.

use std::array;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64};

use crossbeam_utils::CachePadded;
use fastrand::Rng;
use kit::search::score::{loss_in, win_in};
use kit::search::{Control, Request, SearchScore};
use kit::{Evaluate, Game, PositionHistory, Side};

use super::deferred::Deferred;
use super::nodes::{Nodes, ROOT, Tally};
use super::selection::{best, best_of, from_child, ranked};
use crate::playout::{AmafMoves, RandomPlayout};
use crate::policy::{logit, softmax};
use crate::rules::{Move, Projex};

/// Random games from a leaf: the descent and the update of the tree take longer than a game.
pub(super) const GAMES_PER_LEAF: usize = 2;
/// Initial AMAF wins of the move with the largest policy probability. Other moves have fewer, by the square root of the
/// ratio of their probabilities.
const PRIOR_WINS: f32 = 60.0;

/// A search, shared by its threads.
pub(super) struct Search<'a> {
    pub(super) nodes: &'a Nodes,
    pub(super) n_threads: usize,
    /// Move indices of the root moves to choose from; `None` for all.
    pub(super) candidates: Option<Vec<usize>>,
    pub(super) history: &'a PositionHistory<Projex>,
    pub(super) request: &'a Request,
    pub(super) control: &'a Control,
    pub(super) max_games: u64,
    /// Set when the first thread has ended the search.
    pub(super) halt: AtomicBool,
    /// Games begun. It has a separate cache line because all threads write it and only read the other fields.
    pub(super) games: CachePadded<AtomicU64>,
    pub(super) n_positions: AtomicU64,
}

impl Search<'_> {
    /// The root's children to choose from.
    pub(super) fn roots(&self) -> impl Iterator<Item = usize> {
        let is_candidate = |&child: &usize| {
            let candidates = self.candidates.as_ref();
            candidates.is_none_or(|candidates| candidates.contains(&self.nodes.move_index(child)))
        };
        self.nodes.children(ROOT).filter(is_candidate)
    }
}

/// The state of one search thread.
pub(super) struct Worker<'a> {
    search: &'a Search<'a>,
    nodes: &'a Nodes,
    history: PositionHistory<Projex>,
    playout: RandomPlayout,
    rng: Rng,
    /// The games from the current leaf. If the limit allows fewer, the rest have no moves.
    games: [RandomGame; GAMES_PER_LEAF],
    deferred: Deferred,
    /// The nodes from the root to the current leaf, each with whether its results are deferred.
    path: Vec<(usize, bool)>,
    legal_moves: Vec<Move>,
    /// The policy's probabilities of a position's moves.
    shares: Vec<f32>,
    n_leaves: usize,
    /// Plies of the longest path so far.
    pub(super) longest_line: usize,
    /// Nodes on the paths of all games.
    pub(super) n_positions: u64,
}

/// The winner of a game through the tree, and the moves after the current node.
struct RandomGame {
    winner: Side,
    amaf_moves: AmafMoves,
}

impl<'a> Worker<'a> {
    pub(super) fn new(search: &'a Search<'a>, number: u64) -> Worker<'a> {
        let history = search.history.clone();
        let game = history.game();
        let random_game = |_| RandomGame {
            winner: Side::P1,
            amaf_moves: AmafMoves::new(game.n_move_indices()),
        };
        Worker {
            search,
            nodes: search.nodes,
            playout: RandomPlayout::new(game.board().n_cells()),
            rng: Rng::with_seed(search.request.seed ^ number << 48),
            games: array::from_fn(random_game),
            deferred: Deferred::new(search.n_threads),
            path: Vec::new(),
            legal_moves: Vec::new(),
            shares: Vec::new(),
            n_leaves: 0,
            longest_line: 0,
            n_positions: 0,
            history,
        }
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

    /// Descends to a leaf, and stores the winner if the leaf is proven, or those of random games.
    fn descend(&mut self, n_games: usize) {
        self.path.clear();
        let begun = Tally {
            visits: n_games as u32,
            wins: 0,
        };
        let mut node = ROOT;
        loop {
            let is_deferred = self.deferred.defers(self.nodes, node);
            self.path.push((node, is_deferred));
            let visits = match is_deferred {
                true => self.nodes.own(node).visits,
                false => self.nodes.add(node, begun).visits,
            };
            let is_first = visits == begun.visits;
            if let Some(winner) = self.proven_winner(node, is_first) {
                self.games.iter_mut().for_each(|game| game.winner = winner);
                return;
            }
            if self.nodes.children(node).is_empty() && self.nodes.is_worth_expanding(visits) {
                self.expand(node);
            }
            let children = self.nodes.children(node);
            if children.is_empty() {
                for game in &mut self.games[..n_games] {
                    let (history, rng) = (&self.history, &mut self.rng);
                    game.winner = self.playout.play(history, rng, &mut game.amaf_moves);
                }
                return;
            }
            node = match self.path.len() {
                1 => self.select_at_root(children),
                _ => best_of(self.nodes, children),
            };
            let mv = Move::at(self.nodes.move_index(node), self.history.game().board());
            self.history.play(mv);
        }
    }

    /// The winner of a proven position; `None` at the root and for other positions.
    fn proven_winner(&self, node: usize, is_first_visit: bool) -> Option<Side> {
        // A proven root is still searched, because the engine must return a move.
        if node == ROOT {
            return None;
        }
        // The thread with the first visit proves the end of the game, perhaps only after this visit began.
        let (game, position) = (self.history.game(), self.history.position());
        if position.holder().is_some() {
            self.nodes.set_proven(node, loss_in(0));
        } else if is_first_visit && game.win_in_one(position).is_some() {
            self.nodes.set_proven(node, win_in(1));
        }
        let side = self.history.side();
        let proven = self.nodes.proven(node)?;
        Some(if proven > 0 { side } else { side.other() })
    }

    pub(super) fn expand(&mut self, node: usize) {
        let (game, position) = (self.history.game(), self.history.position());
        self.legal_moves.clear();
        game.moves(position, &mut self.legal_moves);
        let indices = self.legal_moves.iter().map(|&mv| game.move_index(mv));
        if self.nodes.expand(node, indices) {
            self.add_priors(self.nodes.children(node));
        }
    }

    /// Stores the policy's probabilities of the moves, and the AMAF wins derived from them.
    fn add_priors(&mut self, children: Range<usize>) {
        let (game, shares) = (self.history.game(), &mut self.shares);
        shares.clear();
        game.move_features(&self.history, |_, features| {
            shares.push(logit(&game.policy, features));
        });
        softmax(shares);
        let largest = shares.iter().copied().fold(0.0, f32::max);
        for (child, &share) in children.zip(&*shares) {
            self.nodes.set_prior(child, share);
            let wins = (PRIOR_WINS * (share / largest).sqrt()) as u32;
            let visits = wins;
            self.nodes.add_amaf(child, Tally { visits, wins });
        }
    }

    /// Selects among the root's moves that are not proven. If several lines are requested, the games exclude in turn
    /// none, the best, the two best, ... of the moves, so that each line is searched as if there were no better one.
    fn select_at_root(&self, children: Range<usize>) -> usize {
        let (search, nodes) = (self.search, self.nodes);
        let is_open = |node: &usize| nodes.proven(*node).is_none();
        let n_better = self.n_leaves % search.request.n_lines.max(1);
        let found = if n_better > 0 {
            let others = ranked(nodes, search.roots()).into_iter().skip(n_better);
            best(nodes, others.filter(is_open))
        } else if search.candidates.is_none() {
            Some(best_of(nodes, children)).filter(is_open)
        } else {
            None
        };
        let found = found.or_else(|| best(nodes, search.roots().filter(is_open)));
        let found = found.or_else(|| best(nodes, search.roots()));
        found.expect("a position that goes on has moves")
    }

    /// Takes the moves back and adds the results to every node of the path.
    fn backpropagate(&mut self, n_games: usize) {
        let mut child_is_proven = false;
        while let Some((node, is_deferred)) = self.path.pop() {
            let children = self.nodes.children(node);
            if child_is_proven && let Some(score) = proven_value(self.nodes, children.clone()) {
                self.nodes.set_proven(node, score);
            }
            child_is_proven = self.nodes.proven(node).is_some();
            self.update(node, is_deferred, children, n_games);
            if !self.path.is_empty() {
                self.undo_move(node, n_games);
            }
        }
    }

    /// Adds the results to a node and, for AMAF, to its children, either at once or deferred.
    fn update(&mut self, node: usize, is_deferred: bool, children: Range<usize>, n_games: usize) {
        let (nodes, games, side) = (self.nodes, &self.games, self.history.side());
        let is_theirs = |game: &&RandomGame| game.winner != side;
        let mut own = Tally {
            visits: 0,
            wins: games[..n_games].iter().filter(is_theirs).count() as u32,
        };
        let amaf_of = |child: usize| {
            let index = nodes.move_index(child);
            let tallies = games.iter().map(|game| {
                let visits = u32::from(game.amaf_moves.has(index, side));
                let wins = visits * u32::from(game.winner == side);
                Tally { visits, wins }
            });
            tallies.fold(Tally::default(), Tally::plus)
        };
        if is_deferred {
            own.visits = n_games as u32;
            self.deferred.add(nodes, node, own, amaf_of);
        } else {
            nodes.add(node, own);
            children.for_each(|child| nodes.add_amaf(child, amaf_of(child)));
        }
    }

    /// Adds all deferred results to the tree.
    pub(super) fn flush(&mut self) {
        self.deferred.flush(self.nodes);
    }

    /// Takes back the move that led to a node and adds it to the AMAF moves.
    fn undo_move(&mut self, node: usize, n_games: usize) {
        let mv = self.history.undo().expect("a move led here");
        let side = self.history.side();
        for game in &mut self.games[..n_games] {
            // After a swap, a player's stone on a cell has the other colour.
            if mv == Move::Swap {
                game.amaf_moves.clear();
            }
            game.amaf_moves.add(self.nodes.move_index(node), side);
        }
    }
}

/// The score of a position that its children prove (MCTS-Solver; Winands, Björnsson and Saito 2008): a win if one of them
/// is lost, or the best of all if all are proven.
fn proven_value(nodes: &Nodes, children: Range<usize>) -> Option<SearchScore> {
    let (mut best, mut are_all_proven) = (None, true);
    for child in children {
        match nodes.proven(child) {
            Some(score) => best = best.max(Some(from_child(score))),
            None => are_all_proven = false,
        }
    }
    best.filter(|&score| are_all_proven || score > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_won_by_one_lost_child_and_lost_by_all_won_ones() {
        let value_of = |scores: [Option<SearchScore>; 2]| {
            let nodes = Nodes::new(1).expect("memory");
            nodes.expand(ROOT, 0..2);
            for (child, score) in nodes.children(ROOT).zip(scores) {
                score
                    .into_iter()
                    .for_each(|score| nodes.set_proven(child, score));
            }
            proven_value(&nodes, nodes.children(ROOT))
        };
        assert_eq!(value_of([None, Some(loss_in(4))]), Some(win_in(5)));
        assert_eq!(
            value_of([Some(loss_in(2)), Some(loss_in(4))]),
            Some(win_in(3))
        );
        assert_eq!(value_of([None, Some(win_in(1))]), None);
        assert_eq!(
            value_of([Some(win_in(3)), Some(win_in(1))]),
            Some(loss_in(4))
        );
    }
}
