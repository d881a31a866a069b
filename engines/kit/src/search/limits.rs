//! The end of a search: the limits at which it ends by itself, and the [`Control`] that stops it from another thread.
//!
//! [`Limits::of`] turns the clock of a `go` into a soft limit (do not begin another iteration) and a hard limit (stop now).
//! All times are wall-clock from the arrival of `go`, less the move overhead. This module never reads a position.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use protocol::{Dialect, Go};

use crate::Side;

/// The limits of one search. The first one reached ends it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// Plies to search.
    pub depth: Option<u32>,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Search only for a win within this many plies.
    pub mate: Option<u32>,
    /// Time for this move.
    pub budget: Budget,
}

impl Limits {
    /// The limits of a `go` in this dialect for this side to move. `overhead` is the time outside the search between the
    /// arrival of `go` and that of `bestmove`.
    pub fn of(go: &Go, dialect: Dialect, side: Side, overhead: Duration) -> Limits {
        let p1 = (go.p1_time, go.p1_inc);
        let p2 = (go.p2_time, go.p2_inc);
        let ((left, increment), other) = match side {
            Side::P1 => (p1, p2.0),
            Side::P2 => (p2, p1.0),
        };
        // If only the opponent's clock is given, that one is used.
        let clock = left.or(other).map_or(Budget::None, |left| {
            let increment = increment.unwrap_or_default();
            Budget::for_clock(left, increment, go.moves_to_go, overhead)
        });
        let within = |time| clock.within(time, overhead);
        Limits {
            depth: go.depth,
            nodes: go.nodes,
            mate: go.mate_plies(dialect),
            budget: go.move_time.map_or(clock, within),
        }
    }

    /// Positions to search, and no other limit.
    pub fn nodes(n: u64) -> Limits {
        Limits {
            nodes: Some(n),
            ..Limits::default()
        }
    }

    /// Plies to search, and no other limit.
    pub fn depth(plies: u32) -> Limits {
        Limits {
            depth: Some(plies),
            ..Limits::default()
        }
    }

    /// The depth of the last iteration.
    pub(super) fn last_depth(&self) -> u32 {
        self.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
    }

    /// Lowers the node limit to this number.
    pub(super) fn cap_nodes(&mut self, most: u64) {
        self.nodes = Some(self.nodes.map_or(most, |nodes| nodes.min(most)));
    }

    /// Maximum number of positions to visit before the search begins: a quarter of the node limit, and an eighth of the
    /// time at one microsecond per position.
    pub(crate) fn max_positions_before_search(&self) -> usize {
        let by_nodes = self.nodes.map_or(usize::MAX, |nodes| nodes as usize / 4);
        let by_time = |time: Duration| time.as_micros() as usize / 8;
        by_nodes.min(self.budget.soft().map_or(usize::MAX, by_time))
    }
}

/// The last iteration. Extensions may search deeper, up to [`MAX_PLY`].
const MAX_DEPTH: u32 = 200;

/// Time for one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Budget {
    /// A fixed time (`movetime`), used up completely: it cannot be saved for later moves.
    Fixed(Duration),
    /// A share of a clock.
    Clock {
        /// After this time, do not begin another iteration.
        soft: Duration,
        /// The search stops at this time.
        hard: Duration,
    },
    /// No limit.
    #[default]
    None,
}

/// Number of moves that a clock without `movestogo` is divided by.
const HORIZON: u32 = 24;
/// Thinking time if the overhead leaves none.
const LEAST: Duration = Duration::from_millis(1);
/// Effectively unlimited; small enough that sums do not overflow.
const LONGEST: Duration = Duration::from_secs(1 << 40);
/// Soft limit as a part of a move's share of the clock.
const SOFT_SHARE: f64 = 0.7;
/// Hard limit in shares of the clock.
const HARD_SHARES: u32 = 6;
/// Time after which a running iteration is stopped, in soft limits.
const ITERATION_FACTOR: f64 = 4.0 / SOFT_SHARE;

impl Budget {
    /// A share of a clock with this time left and this increment for each move. It is refilled after `moves_to_go` moves,
    /// or never.
    fn for_clock(
        left: Duration,
        increment: Duration,
        moves_to_go: Option<u32>,
        overhead: Duration,
    ) -> Budget {
        let [left, increment] = [left, increment].map(|time| time.min(LONGEST));
        // Some clients send 0 if the clock is not refilled.
        let to_go = moves_to_go.filter(|&moves| moves > 0);
        let moves = to_go.unwrap_or(HORIZON).min(HORIZON);
        let usable = left.saturating_sub(overhead.max(left / 50)).max(LEAST);
        // The last move before the clock is refilled may use it up. Any other move leaves most of it.
        let most = match moves {
            1 => usable,
            _ => usable.mul_f64(0.4),
        };
        let share = usable / moves + increment.mul_f64(0.7);
        Budget::Clock {
            // A large increment must not let every move run into the hard limit.
            soft: share.mul_f64(SOFT_SHARE).min(most.mul_f64(0.6)),
            hard: most.min(share * HARD_SHARES),
        }
    }

    /// Adds a fixed time for the move, less the overhead. If it is below the clock's soft limit, it is the whole
    /// budget.
    fn within(self, time: Duration, overhead: Duration) -> Budget {
        let time = time.min(LONGEST);
        let time = time.saturating_sub(overhead).max(time / 2).max(LEAST);
        match self {
            Budget::Clock { soft, hard } if soft < time => Budget::Clock {
                soft,
                hard: hard.min(time),
            },
            Budget::Fixed(least) if least < time => self,
            _ => Budget::Fixed(time),
        }
    }

    /// The time after which the search should not begin another iteration; for a fixed time, all of it. `None` without
    /// a limit.
    pub fn soft(self) -> Option<Duration> {
        match self {
            Budget::Fixed(time) => Some(time),
            Budget::Clock { soft, .. } => Some(soft),
            Budget::None => None,
        }
    }

    /// The time that a search does not exceed; `None` without a limit.
    pub fn hard(self) -> Option<Duration> {
        match self {
            Budget::Fixed(time) => Some(time),
            Budget::Clock { hard, .. } => Some(hard),
            Budget::None => None,
        }
    }

    /// The time at which a running iteration is stopped. It is the hard limit if the best move has just failed low and
    /// no other has replaced it, and for a fixed time; otherwise it is less, to save time on the clock. `None` without
    /// a limit.
    pub fn iteration_limit(self, is_failing_low: bool) -> Option<Duration> {
        match self {
            Budget::Clock { soft, hard } if !is_failing_low => {
                Some(soft.mul_f64(ITERATION_FACTOR).min(hard))
            }
            _ => self.hard(),
        }
    }
}

/// Nodes between checks of the clock.
const POLL_INTERVAL: u64 = 64;

/// Decides when a search ends.
pub(super) struct StopCheck<'a> {
    pub(super) control: &'a Control,
    pub(super) max_nodes: u64,
}

impl StopCheck<'_> {
    /// `true` if the search was stopped, has visited all its nodes, or `is_late`, which is called every [`POLL_INTERVAL`] nodes.
    #[inline]
    pub(super) fn must_stop(&self, nodes: u64, is_late: impl FnOnce() -> bool) -> bool {
        self.control.is_stopped()
            || nodes >= self.max_nodes
            || nodes.is_multiple_of(POLL_INTERVAL) && is_late()
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

    fn lock(&self) -> MutexGuard<'_, ClockState> {
        self.state.lock().expect("no holder of this lock panics")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>, overhead: u64) -> Budget {
        Budget::for_clock(ms(left), ms(increment), moves_to_go, ms(overhead))
    }

    fn limits(clock: Budget) -> (Duration, Duration) {
        match clock {
            Budget::Clock { soft, hard } => (soft, hard),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_clock_is_never_used_up_by_one_move() {
        for left in [1, 5, 50, 100, 1_000, 60_000, u64::MAX] {
            for increment in [0, 1, 100, 10_000, u64::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let (soft, hard) = limits(clock(left, increment, moves_to_go, 10));
                    let here = format!("{left} + {increment}, {moves_to_go:?}: {soft:?}, {hard:?}");
                    assert!(soft < hard, "{here}");
                    let most = match moves_to_go {
                        Some(1) => left,
                        _ => left / 2,
                    };
                    assert!(hard <= LEAST.max(ms(most)), "{here}");
                }
            }
        }
    }

    #[test]
    fn one_second_left_with_ten_seconds_increment_does_not_use_the_hard_limit() {
        let (soft, hard) = limits(clock(1_000, 10_000, None, 30));
        assert!(soft < hard.mul_f64(0.7), "{soft:?} of {hard:?}");
    }

    #[test]
    fn an_iteration_has_more_time_after_a_fail_low() {
        let budget = clock(60_000, 0, None, 30);
        assert!(budget.iteration_limit(false) < budget.iteration_limit(true));
        assert_eq!(budget.iteration_limit(true), budget.hard());
        let fixed = Budget::Fixed(ms(50));
        for is_failing_low in [false, true] {
            assert_eq!(fixed.iteration_limit(is_failing_low), Some(ms(50)));
            assert_eq!(Budget::None.iteration_limit(is_failing_low), None);
        }
    }

    #[test]
    fn a_fixed_time_caps_a_clock() {
        let clock = Budget::Clock {
            soft: ms(10),
            hard: ms(40),
        };
        let hard = ms(20);
        let capped = |time| clock.within(ms(time), ms(0));
        assert_eq!(capped(100), clock);
        assert_eq!(capped(20), Budget::Clock { soft: ms(10), hard });
        assert_eq!(capped(5), Budget::Fixed(ms(5)));
        assert_eq!(capped(5).within(ms(9), ms(0)), Budget::Fixed(ms(5)));
    }

    #[test]
    fn the_last_move_before_a_refill_may_use_the_clock_but_for_the_overhead() {
        let (soft, hard) = limits(clock(1_000, 0, Some(1), 30));
        assert_eq!(hard, ms(970));
        assert!(soft >= ms(500));
    }

    #[test]
    fn a_fixed_time_is_used_but_for_the_overhead() {
        let fixed = |time| Budget::None.within(ms(time), ms(10));
        assert_eq!(fixed(1_000), Budget::Fixed(ms(990)));
        assert_eq!(fixed(10), Budget::Fixed(ms(5)));
        assert_eq!(fixed(0), Budget::Fixed(ms(1)));
    }

    #[test]
    fn more_time_means_a_longer_move() {
        let soft = |left| limits(clock(left, 0, None, 10)).0;
        assert!(soft(1_000) < soft(10_000) && soft(10_000) < soft(100_000));
    }
}
