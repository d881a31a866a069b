//! The state that the threads of one principal variation search share, above all the deepest complete iteration, from which
//! all of them continue.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

use protocol::Bound;

use super::score::{INFINITE, LEAST_WIN, SearchScore};
use super::{Control, Request, TranspositionTable};

/// A root move with the result of its last visit.
#[derive(Debug, Clone)]
pub(super) struct RootMove<M> {
    /// The move and the line expected after it.
    pub(super) pv: Vec<M>,
    pub(super) score: SearchScore,
    pub(super) bound: Option<Bound>,
}

impl<M: Copy> RootMove<M> {
    /// A root move that has not been searched yet.
    pub(super) fn new(mv: M) -> RootMove<M> {
        RootMove {
            pv: vec![mv],
            score: -INFINITE,
            bound: Some(Bound::Lower),
        }
    }

    pub(super) fn mv(&self) -> M {
        self.pv[0]
    }

    /// `true` if the opponent is proven to win after this move.
    pub(super) fn is_proven_loss(&self) -> bool {
        self.bound != Some(Bound::Lower) && self.score <= -LEAST_WIN
    }
}

/// A complete iteration.
#[derive(Debug, Clone)]
pub(super) struct Iteration<M> {
    pub(super) depth: u32,
    /// Plies of the longest line searched.
    pub(super) seldepth: usize,
    pub(super) best: RootMove<M>,
}

/// The shared state of a search's threads.
///
/// In a search for one line, the first thread to complete a depth stores its iteration here. Threads that still search
/// this depth, or a lower one, end their iteration and continue from the stored one at a greater depth, so the search
/// deepens as fast as its fastest thread.
pub(super) struct Shared<'a, M> {
    pub(super) table: &'a TranspositionTable,
    pub(super) control: &'a Control,
    pub(super) request: &'a Request,
    /// Set when the first thread has ended the search.
    pub(super) halt: AtomicBool,
    /// By thread: the positions searched so far.
    pub(super) nodes: Vec<AtomicU64>,
    /// The depth of the stored iteration; 0 before the first.
    pub(super) depth: AtomicU32,
    deepest: Mutex<Option<Iteration<M>>>,
}

impl<'a, M: Copy> Shared<'a, M> {
    pub(super) fn new(
        table: &'a TranspositionTable,
        control: &'a Control,
        request: &'a Request,
        n_threads: usize,
    ) -> Shared<'a, M> {
        Shared {
            table,
            control,
            request,
            halt: AtomicBool::new(false),
            nodes: (0..n_threads).map(|_| AtomicU64::new(0)).collect(),
            depth: AtomicU32::new(0),
            deepest: Mutex::new(None),
        }
    }

    /// Stores a complete iteration if it is the deepest one so far. Several lines are not shared.
    pub(super) fn store(&self, depth: u32, seldepth: usize, best: &RootMove<M>) {
        let is_one_line = self.request.n_lines.min(self.request.moves.len()) <= 1;
        let mut stored = self.lock();
        if self.nodes.len() > 1 && is_one_line && depth > self.depth.load(Relaxed) {
            self.depth.store(depth, Relaxed);
            *stored = Some(Iteration {
                depth,
                seldepth,
                best: best.clone(),
            });
        }
    }

    /// The stored iteration, if it is at least this deep.
    pub(super) fn at_least(&self, depth: u32) -> Option<Iteration<M>> {
        self.lock().clone().filter(|stored| stored.depth >= depth)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Iteration<M>>> {
        let locked = self.deepest.lock();
        locked.expect("no holder of this lock panics")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;

    /// The depth and the move of the stored iteration after iterations at four depths.
    fn stored(n_threads: usize, n_lines: usize) -> Option<(u32, char)> {
        let (table, control) = (TranspositionTable::new(1), Control::default());
        let request = Request {
            n_lines,
            ..Request::new(
                ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
                Limits::default(),
            )
        };
        let table = table.expect("memory");
        let shared = Shared::new(&table, &control, &request, n_threads);
        for (depth, mv) in [(3, 'a'), (5, 'b'), (5, 'c'), (4, 'd')] {
            shared.store(depth, 9, &RootMove::new(mv));
        }
        let found = shared.at_least(0);
        let depth = found.as_ref().map_or(0, |found| found.depth);
        assert_eq!(shared.depth.load(Relaxed), depth);
        assert!(shared.at_least(6).is_none());
        found.map(|found| (found.depth, found.best.mv()))
    }

    #[test]
    fn threads_of_one_line_share_the_deepest_iteration() {
        assert_eq!(stored(2, 1), Some((5, 'b')), "the first of equals");
        assert_eq!(stored(1, 1), None, "there is no other thread");
        assert_eq!(stored(2, 2), None, "several lines");
    }
}
