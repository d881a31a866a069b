//! The deepest complete iteration of a search, from which all of its threads continue.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

use super::worker::RootMove;

/// A complete iteration.
#[derive(Debug, Clone)]
pub(super) struct Iteration<M> {
    pub(super) depth: u32,
    /// Plies of the longest line searched.
    pub(super) seldepth: usize,
    pub(super) best: RootMove<M>,
}

/// The deepest complete iteration of all threads of a search for one line.
///
/// The first thread to complete a depth stores its iteration here. Threads that still search this depth, or a lower one,
/// end their iteration and continue from the stored one at a greater depth, so the search deepens as fast as its fastest
/// thread.
#[derive(Debug)]
pub(super) struct Deepest<'a, M> {
    /// The stored depth, shared with the threads' checks for the end of an iteration; 0 before the first.
    depth: &'a AtomicU32,
    iteration: Mutex<Option<Iteration<M>>>,
    is_shared: bool,
}

impl<'a, M: Copy> Deepest<'a, M> {
    /// Nothing is stored unless `is_shared`.
    pub(super) fn new(depth: &'a AtomicU32, is_shared: bool) -> Deepest<'a, M> {
        Deepest {
            depth,
            iteration: Mutex::new(None),
            is_shared,
        }
    }

    /// Stores a complete iteration if it is the deepest one so far.
    pub(super) fn store(&self, iteration: Iteration<M>) {
        let mut stored = self.lock();
        if self.is_shared && iteration.depth > self.depth.load(Relaxed) {
            self.depth.store(iteration.depth, Relaxed);
            *stored = Some(iteration);
        }
    }

    /// The stored iteration, if it is at least this deep.
    pub(super) fn at_least(&self, depth: u32) -> Option<Iteration<M>> {
        self.lock().clone().filter(|stored| stored.depth >= depth)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Iteration<M>>> {
        let locked = self.iteration.lock();
        locked.expect("no holder of this lock panics")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iteration(depth: u32, mv: char) -> Iteration<char> {
        Iteration {
            depth,
            seldepth: 9,
            best: RootMove::new(mv),
        }
    }

    #[test]
    fn the_deepest_iteration_is_kept_and_the_first_of_equals() {
        let depth = AtomicU32::new(0);
        let deepest = Deepest::new(&depth, true);
        for (depth, mv) in [(3, 'a'), (5, 'b'), (5, 'c'), (4, 'd')] {
            deepest.store(iteration(depth, mv));
        }
        let stored = |least| {
            deepest
                .at_least(least)
                .map(|found| (found.depth, found.best.mv()))
        };
        assert_eq!(stored(5), Some((5, 'b')));
        assert_eq!(stored(6), None);
        assert_eq!(depth.load(Relaxed), 5);
    }

    #[test]
    fn a_search_that_shares_nothing_ends_no_iteration() {
        let depth = AtomicU32::new(0);
        let deepest = Deepest::new(&depth, false);
        deepest.store(iteration(3, 'a'));
        assert!(deepest.at_least(0).is_none());
        assert_eq!(depth.load(Relaxed), 0);
    }
}
