//! Monte Carlo tree search, for games where random games judge better than a static score.
//!
//! [`SearchTree::search`] begins it. Each game goes down the tree by the moves' share of points and by AMAF, plays on at
//! random from a leaf (the game's own [`Playout`](crate::playout::Playout)), and adds its result to all nodes on its path
//! (`worker`). Proven results go up the tree as scores, so forced wins are proved. All threads share one tree (`pool`,
//! `node`); near the root they add results a few at a time (`deferred`).
//!
//! A search runs in rounds. A round ends when the search is over, or when the tree needs a change that no thread may watch:
//! memory is short, or counts become too large.

mod deferred;
mod node;
mod pool;
mod report;
mod round;
mod worker;

use std::iter;
use std::mem;

use super::{Control, Progress, Request, mate};
use crate::hash::hash;
use crate::{Evaluate, Game, PositionHistory};
use pool::NodePool;
use round::{RoundEnd, Totals, TreeSearch};

/// The tree, kept from one search to the next.
#[derive(Debug)]
pub(super) struct SearchTree {
    pool: NodePool,
    /// The game that led to the root.
    root: Option<RootId>,
    /// Memory that was asked for and not given, to be told once.
    note: Option<String>,
    /// Nodes of all paths since the tree was made or cleared.
    n_positions: u64,
}

/// A position with the game that led to it. Positions of equal keys are not enough: the moves before them decide which
/// repetitions draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RootId {
    ply: usize,
    hash: u64,
}

impl RootId {
    /// The position at a ply of a game, if the game is so long.
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
    /// An empty tree with up to `mib` MiB of memory.
    pub(super) fn new(mib: usize) -> SearchTree {
        let pool = NodePool::new(mib);
        let lacks = pool.mib() < mib;
        SearchTree {
            note: lacks.then(|| mate::less_memory(pool.mib(), mib)),
            pool,
            root: None,
            n_positions: 0,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.pool.clear();
        self.root = None;
        self.n_positions = 0;
    }

    /// Nodes of all paths since the tree was made or cleared.
    pub(super) fn n_positions(&self) -> u64 {
        self.n_positions
    }

    /// The root's moves by their indices, and the games through each.
    pub(super) fn root_visits(&self) -> Vec<(usize, u32)> {
        let children = self.pool.children(self.pool.root()).iter();
        children
            .map(|child| (child.move_index(), child.own().visits))
            .collect()
    }

    /// Searches a position of a game that has playouts until a limit or `control` ends it.
    pub(super) fn search<G: Evaluate>(
        &mut self,
        n_threads: usize,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        if let Some(note) = self.note.take() {
            progress(&Progress::note(note));
        }
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

    /// Whether the time limit leaves enough to prune the tree. A root without moves must have them in any case.
    fn may_prune<M>(&self, request: &Request<M>, control: &Control) -> bool {
        let (Some(hard), Some(elapsed)) = (request.limits.budget.hard(), control.elapsed()) else {
            return true;
        };
        let is_bare = self.pool.root().block().is_none();
        is_bare || self.pool.pruning_time() < hard.saturating_sub(elapsed) / 2
    }

    /// Makes the position the root. If it comes from the last root by further moves, the tree below it is kept.
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
