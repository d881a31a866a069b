//! One loop on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

/// Runs `work` for each item from 0 to `n_items` on this thread and `n_threads - 1` others, each with a state of its own, and
/// calls `tell` on this thread with the items done so far. Threads that the system does not start are done without. Returns
/// whether all items are done: `false` if `stop` was set meanwhile.
pub fn for_each<S>(
    n_items: u64,
    n_threads: usize,
    stop: &AtomicBool,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, u64) + Sync,
    tell: &mut dyn FnMut(u64),
) -> bool {
    let next = AtomicU64::new(0);
    // An item that is taken is done, so `stop` is asked before.
    let take = || {
        let is_stopped = stop.load(Relaxed);
        let item = (!is_stopped).then(|| next.fetch_add(1, Relaxed));
        item.filter(|&item| item < n_items)
    };
    let run = || {
        let mut state = state();
        while let Some(item) = take() {
            work(&mut state, item);
        }
    };
    thread::scope(|scope| {
        for _ in 1..n_threads {
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        let mut state = state();
        while let Some(item) = take() {
            work(&mut state, item);
            tell(next.load(Relaxed).min(n_items));
        }
    });
    next.load(Relaxed) >= n_items
}

/// The numbers of one block.
pub fn block(number: u64, size: u64, n_numbers: u64) -> Range<u64> {
    let start = number * size;
    start..(start + size).min(n_numbers)
}
