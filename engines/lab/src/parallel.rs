//! A parallel loop.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

/// The number of threads that work, and the flag that stops them.
#[derive(Debug, Clone, Copy)]
pub struct Threads<'a> {
    /// At least one.
    pub count: usize,
    /// Ends the work when set.
    pub stop: &'a AtomicBool,
}

impl Threads<'_> {
    /// Runs `work` for each item below `n_items`, on this thread and on others. Each thread has its state. Calls
    /// `on_progress` on this thread with the number of items started so far. If the system does not start a thread, the
    /// loop continues with fewer. Returns `true` if all items are done, `false` if `stop` was set before.
    pub fn for_each<S>(
        self,
        n_items: u64,
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, u64) + Sync,
        on_progress: &mut dyn FnMut(u64),
    ) -> bool {
        let next = AtomicU64::new(0);
        // Check `stop` before taking an item: an item that is taken is always finished.
        let take = || {
            let is_stopped = self.stop.load(Relaxed);
            let item = (!is_stopped).then(|| next.fetch_add(1, Relaxed));
            item.filter(|&item| item < n_items)
        };
        let run = |on_progress: &mut dyn FnMut(u64)| {
            let mut state = state();
            while let Some(item) = take() {
                work(&mut state, item);
                on_progress(next.load(Relaxed).min(n_items));
            }
        };
        on_threads(self.count, &|| run(&mut |_| {}), &mut || run(on_progress));
        next.load(Relaxed) >= n_items
    }
}

/// Calls `own` on this thread and `work` on `n_threads - 1` others. It is not generic, as each kind of thread is long code.
fn on_threads(n_threads: usize, work: &(dyn Fn() + Sync), own: &mut dyn FnMut()) {
    thread::scope(|scope| {
        for _ in 1..n_threads {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        own();
    });
}

/// Range of the numbers in block `number` of `size` numbers; the last block may be shorter.
pub fn block(number: u64, size: u64, n_numbers: u64) -> Range<u64> {
    let start = number * size;
    start..(start + size).min(n_numbers)
}
