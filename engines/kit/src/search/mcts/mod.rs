//! Monte Carlo tree search, for games in which random games judge a position better than a static score.
//!
//! [`SearchTree::search`] is the entry point. Each game descends the tree by the moves' mean points, AMAF (RAVE; Gelly
//! and Silver 2007) and priors, continues from a leaf with a random game (the game's
//! [`Playout`](crate::playout::Playout)), and adds its result to all nodes on its path (`worker`). Proven results are
//! backed up as scores, so the search proves forced wins (MCTS-Solver). All threads share one tree (`pool`, `node`);
//! near the root they add several results at a time (`deferred`).
//!
//! A search runs in rounds. A round ends when the search is over, or when the tree needs a change during which no
//! thread may use it: memory is full, or counts are too large.

mod deferred;
mod node;
mod pool;
mod round;
mod selection;
mod tree_search;
mod worker;

use std::{iter, mem};

use pool::NodePool;
use tree_search::{RoundEnd, Totals, TreeSearch};

use super::{Control, Progress, Request};
use crate::hash::hash;
use crate::{Evaluate, Game, PositionHistory};

/// The tree. It is kept from one search to the next.
#[derive(Debug)]
pub(super) struct SearchTree {
    pool: NodePool,
    /// Identity of the root; `None` for an empty tree.
    root: Option<RootId>,
    /// Nodes on the paths of all games since the tree was created or cleared.
    n_positions: u64,
}

/// A position and the moves that led to it. Comparing keys would not be enough: the moves decide which repetitions
/// draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RootId {
    ply: usize,
    hash: u64,
}

impl RootId {
    /// The position at a ply of a game; `None` if the game is shorter.
    fn at<G: Game>(history: &PositionHistory<G>, ply: usize) -> Option<RootId> {
        if ply > history.ply() {
            return None;
        }
        let mut start = history.clone();
        start.rewind(0);
        let moves = history.played().take(ply);
        let indices = moves.map(|mv| history.game().move_index(mv) as u64);
        let hash = hash(iter::once(start.search_key()).chain(indices));
        Some(RootId { ply, hash })
    }
}

impl SearchTree {
    /// Creates an empty tree with up to `mib` MiB of memory; `None` if the system does not give them.
    pub(super) fn new(mib: usize) -> Option<SearchTree> {
        Some(SearchTree {
            pool: NodePool::new(mib)?,
            root: None,
            n_positions: 0,
        })
    }

    /// Removes all results.
    pub(super) fn clear(&mut self) {
        self.pool.clear();
        self.root = None;
        self.n_positions = 0;
    }

    /// Nodes on the paths of all games since the tree was created or cleared.
    pub(super) fn n_positions(&self) -> u64 {
        self.n_positions
    }

    /// Move index and visits of each move at the root.
    pub(super) fn root_visits(&self) -> Vec<(usize, u32)> {
        let children = self.pool.children(self.pool.root()).iter();
        children
            .map(|child| (child.move_index(), child.own().visits))
            .collect()
    }

    /// Searches a position until a limit or `control` ends it. The game must have playouts.
    pub(super) fn search<G: Evaluate>(
        &mut self,
        n_threads: usize,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        self.set_root(history);
        let mut totals = Totals::new();
        loop {
            let pool = &self.pool;
            let mut round = TreeSearch::new(pool, n_threads, history, request, control, &totals);
            let end = round.run(progress, &mut totals);
            self.n_positions += *round.n_positions.get_mut();
            match end {
                RoundEnd::Over => {
                    let end = round.progress(totals.longest_line);
                    progress(&end);
                    return end;
                }
                RoundEnd::LargeCounts => self.pool.halve_counts(),
                RoundEnd::Full if self.may_prune(request, control) => self.pool.prune(),
                RoundEnd::Full => totals.may_prune = false,
            }
        }
    }

    /// `true` if the time limit leaves enough time to prune the tree. A root without children is always pruned for,
    /// since it needs them.
    fn may_prune<M>(&self, request: &Request<M>, control: &Control) -> bool {
        let (Some(hard), Some(elapsed)) = (request.limits.budget.hard(), control.elapsed()) else {
            return true;
        };
        let is_bare = self.pool.root().block().is_none();
        is_bare || self.pool.pruning_time() < hard.saturating_sub(elapsed) / 2
    }

    /// Makes the position the root. If it follows from the previous root by further moves, the tree below it is kept.
    fn set_root<G: Game>(&mut self, history: &PositionHistory<G>) {
        let game = history.game();
        let last = mem::replace(&mut self.root, RootId::at(history, history.ply()));
        let is_earlier = |last: &RootId| RootId::at(history, last.ply) == Some(*last);
        match last.filter(is_earlier) {
            Some(last) => {
                let played = history.played().skip(last.ply);
                self.pool.follow(played.map(|mv| game.move_index(mv)));
            }
            None => self.pool.clear(),
        }
    }
}

#[cfg(test)]
mod tests;
