//! Stops a search: on `stop` from another thread, or by the clock of the move, which `ponderhit` starts.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// Decides when a search ends.
pub(super) struct StopCheck<'a> {
    pub(super) control: &'a Control,
    pub(super) max_nodes: u64,
    /// Nodes between checks of the clock.
    pub(super) interval: u64,
}

impl StopCheck<'_> {
    /// `true` if the search was stopped, has visited all its nodes, or `is_late`, which is called at each interval.
    #[inline]
    pub(super) fn must_stop(&self, nodes: u64, is_late: impl FnOnce() -> bool) -> bool {
        self.control.is_stopped()
            || nodes >= self.max_nodes
            || nodes.is_multiple_of(self.interval) && is_late()
    }
}

/// State shared by a running search and the thread that reads commands.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    state: Mutex<ClockState>,
    changed: Condvar,
}

#[derive(Debug)]
struct ClockState {
    /// While set, the search does not end by itself.
    is_pondering: bool,
    /// Set if `bestmove` is held back until `stop`.
    is_held: bool,
    /// The instant at which this move's clock started.
    clock_start: Instant,
}

/// Control of a search whose clock starts now.
impl Default for Control {
    fn default() -> Control {
        Control::new(Instant::now(), false, false)
    }
}

impl Control {
    /// Control of a search that was requested at `arrival`. While pondering, no clock runs. If it `is_held`, its move is
    /// sent after `stop` alone.
    pub fn new(arrival: Instant, is_pondering: bool, is_held: bool) -> Control {
        Control {
            stop: AtomicBool::new(false),
            state: Mutex::new(ClockState {
                is_pondering,
                is_held,
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

    /// Starts the clock at `arrival`: the pondered move was played. Returns `false` if the search was not pondering.
    pub fn ponderhit(&self, arrival: Instant) -> bool {
        let mut state = self.lock();
        if state.is_pondering {
            state.is_pondering = false;
            state.clock_start = arrival;
            self.changed.notify_all();
            return true;
        }
        false
    }

    /// `true` once [`stop`](Control::stop) has been called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Time used on this move's clock; `None` while pondering.
    pub fn elapsed(&self) -> Option<Duration> {
        let state = self.lock();
        (!state.is_pondering).then(|| state.clock_start.elapsed())
    }

    /// `true` if this move's clock has reached `limit`; `false` without a limit and while pondering.
    pub(crate) fn is_past(&self, limit: Option<Duration>) -> bool {
        limit.is_some_and(|limit| self.elapsed().is_some_and(|elapsed| elapsed >= limit))
    }

    /// `true` if the search ends without another command.
    pub fn is_bounded(&self) -> bool {
        let state = self.lock();
        !state.is_pondering && !state.is_held
    }

    /// Waits until `bestmove` may be sent: while pondering until `ponderhit` or `stop`, and if held until `stop`.
    pub fn wait_for_release(&self) {
        let mut state = self.lock();
        while !self.is_stopped() && (state.is_held || state.is_pondering) {
            state = self
                .changed
                .wait(state)
                .expect("no holder of this lock panics");
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, ClockState> {
        self.state.lock().expect("no holder of this lock panics")
    }
}
