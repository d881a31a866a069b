//! The results of the threads' iterations, from which each thread continues at the deepest one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::worker::RootMove;

/// The deepest complete iteration of all threads of a search for one line.
///
/// The first thread to complete a depth stores its best move here. Threads that still search this depth, or a lower one,
/// end their iteration and continue below the stored one. The search thus deepens with the fastest of its threads.
#[derive(Debug)]
pub(super) struct Deepest<'a, M> {
    /// The stored depth, shared with the threads' checks for the end of an iteration; 0 before the first.
    depth: &'a AtomicU32,
    best: Mutex<Option<(u32, RootMove<M>)>>,
    is_shared: bool,
}

impl<'a, M: Copy> Deepest<'a, M> {
    /// Nothing is stored unless `is_shared`.
    pub(super) fn new(depth: &'a AtomicU32, is_shared: bool) -> Deepest<'a, M> {
        Deepest {
            depth,
            best: Mutex::new(None),
            is_shared,
        }
    }

    /// Stores the best move of a complete iteration if it is the deepest one so far.
    pub(super) fn store(&self, depth: u32, best: &RootMove<M>) {
        let mut stored = self.best.lock().expect("no holder of this lock panics");
        if self.is_shared && stored.as_ref().is_none_or(|(least, _)| depth > *least) {
            *stored = Some((depth, best.clone()));
            self.depth.store(depth, Relaxed);
        }
    }

    /// Depth and best move of the stored iteration, if it is at least this deep.
    pub(super) fn at_least(&self, depth: u32) -> Option<(u32, RootMove<M>)> {
        let stored = self.best.lock().expect("no holder of this lock panics");
        stored.clone().filter(|(deepest, _)| *deepest >= depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_iteration_is_kept_and_the_first_of_equals() {
        let depth = AtomicU32::new(0);
        let deepest = Deepest::new(&depth, true);
        for (depth, mv) in [(3, 'a'), (5, 'b'), (5, 'c'), (4, 'd')] {
            deepest.store(depth, &RootMove::new(mv));
        }
        let stored = |least| {
            deepest
                .at_least(least)
                .map(|(depth, best)| (depth, best.mv()))
        };
        assert_eq!(stored(5), Some((5, 'b')));
        assert_eq!(stored(6), None);
        assert_eq!(depth.load(Relaxed), 5);
    }

    #[test]
    fn a_search_that_shares_nothing_ends_no_iteration() {
        let depth = AtomicU32::new(0);
        let deepest = Deepest::new(&depth, false);
        deepest.store(3, &RootMove::new('a'));
        assert!(deepest.at_least(0).is_none());
        assert_eq!(depth.load(Relaxed), 0);
    }
}
