//! Stops a search: by `stop` and `ponderhit` from another thread, by the clock of the move.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// Shared by a running search and the thread that takes commands.
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

    /// Ends the search at the next node.
    pub fn stop(&self) {
        let _state = self.lock();
        self.stop.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// The pondered move was played at `arrival`: the clock runs from then. `false` if the search was not pondering.
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

    /// Whether [`stop`](Control::stop) was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Time on this move's clock; `None` while pondering.
    pub fn elapsed(&self) -> Option<Duration> {
        let state = self.lock();
        (!state.is_pondering).then(|| state.clock_start.elapsed())
    }

    /// Waits until `bestmove` may be sent: at once, or after `stop` if `is_held`. While pondering it also waits for
    /// `ponderhit` or `stop`.
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
