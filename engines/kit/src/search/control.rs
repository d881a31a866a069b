//! The hand on the brake: how others stop a search, and when it stops by itself.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// Shared by a running search and whoever drives it.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Whether the search may end by itself only after `ponderhit`.
    is_pondering: bool,
    /// When the clock of this move began to run.
    clock_start: Instant,
}

impl Control {
    /// A search that was asked for at `arrival`; while pondering, no clock runs.
    pub fn new(arrival: Instant, is_pondering: bool) -> Control {
        Control {
            stop: AtomicBool::new(false),
            state: Mutex::new(State {
                is_pondering,
                clock_start: arrival,
            }),
            changed: Condvar::new(),
        }
    }

    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        let _state = self.lock();
        self.stop.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// The pondered move was played at `arrival`: the clock runs from then. Whether it was pondering at all.
    pub fn ponderhit(&self, arrival: Instant) -> bool {
        let mut state = self.lock();
        if state.is_pondering {
            *state = State {
                is_pondering: false,
                clock_start: arrival,
            };
            self.changed.notify_all();
            return true;
        }
        false
    }

    /// Whether someone stopped the search.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Time on this move's clock; `None` while pondering.
    pub fn elapsed(&self) -> Option<Duration> {
        let state = self.lock();
        (!state.is_pondering).then(|| state.clock_start.elapsed())
    }

    /// Waits until the search may name its move: at once, or after `stop` where it is held; a pondering search
    /// is held until `ponderhit`.
    pub fn wait_for_release(&self, is_held: bool) {
        let mut state = self.lock();
        while !self.is_stopped() && (is_held || state.is_pondering) {
            state = self
                .changed
                .wait(state)
                .expect("no holder of this lock panics");
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("no holder of this lock panics")
    }
}
