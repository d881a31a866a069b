//! When a search ends by itself.
//!
//! [`Budget::new`] turns a clock into a soft limit (do not begin another depth) and a hard one (stop now). All
//! times are wall-clock from the arrival of `go`, less the move overhead. Nothing here sleeps or looks at a
//! position.

use std::time::Duration;

/// The limits of one search; whichever comes first ends it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// Plies to search.
    pub depth: Option<u32>,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Look for a win within so many plies, and for nothing else.
    pub mate: Option<u32>,
    /// Time for this move.
    pub budget: Option<Budget>,
    /// Name the move only after `stop`.
    pub is_infinite: bool,
}

impl Limits {
    /// Positions that may be looked at before the search begins: a small part of what the limits allow, by a machine that
    /// looks at one or more in a microsecond.
    pub(crate) fn preparation(&self) -> usize {
        let by_nodes = self.nodes.map_or(usize::MAX, |nodes| nodes as usize / 4);
        let by_time = |budget: Budget| budget.soft.as_micros() as usize / 8;
        self.budget
            .map_or(by_nodes, |budget| by_time(budget).min(by_nodes))
    }
}

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Time left for this and the following moves.
    pub left: Duration,
    /// Time gained with each move.
    pub increment: Duration,
    /// Moves until the clock is refilled; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// Time for one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// After this, do not begin another depth.
    pub soft: Duration,
    /// At this, stop.
    pub hard: Duration,
}

/// Moves that a clock without `movestogo` is shared among.
const HORIZON: u32 = 24;
/// What is left to think when the overhead eats it all.
const LEAST: Duration = Duration::from_millis(1);
/// No limit that anyone lives to see, and no overflow when it is added up.
const LONGEST: Duration = Duration::from_secs(1 << 40);

impl Budget {
    /// A share of a clock; `overhead` is what passes between the arrival of `go` and that of `bestmove` apart
    /// from thinking.
    pub fn new(clock: Clock, overhead: Duration) -> Budget {
        let left = clock.left.min(LONGEST);
        let increment = clock.increment.min(LONGEST);
        // Some clients write 0 where no refill will come.
        let to_go = clock.moves_to_go.filter(|&moves| moves > 0);
        let moves = to_go.unwrap_or(HORIZON).min(HORIZON);
        let usable = left.saturating_sub(overhead.max(left / 50)).max(LEAST);
        // The last move before the clock is refilled may use it up; any other leaves most of it.
        let hard = if moves == 1 {
            usable
        } else {
            usable.mul_f64(0.4)
        };
        let share = usable / moves + increment.mul_f64(0.7);
        let soft = share.mul_f64(0.7).min(hard);
        Budget {
            soft,
            hard: hard.min(share * 4).max(soft),
        }
    }

    /// The whole of a fixed time for one move.
    pub fn for_move(time: Duration, overhead: Duration) -> Budget {
        let time = time.min(LONGEST);
        let usable = time.saturating_sub(overhead).max(time / 2).max(LEAST);
        Budget {
            soft: usable,
            hard: usable,
        }
    }

    /// The tighter of two budgets.
    pub fn and(self, other: Budget) -> Budget {
        Budget {
            soft: self.soft.min(other.soft),
            hard: self.hard.min(other.hard),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_clock_is_never_used_up_by_one_move() {
        for left in [1, 5, 50, 100, 1_000, 60_000, u64::MAX] {
            for increment in [0, 1, 100, 10_000, u64::MAX] {
                for moves_to_go in [None, Some(0), Some(2), Some(40)] {
                    let clock = Clock {
                        left: ms(left),
                        increment: ms(increment),
                        moves_to_go,
                    };
                    let budget = Budget::new(clock, ms(10));
                    assert!(budget.soft <= budget.hard, "{clock:?}");
                    assert!(budget.hard <= LEAST.max(clock.left / 2), "{clock:?}");
                }
            }
        }
    }

    #[test]
    fn the_last_move_before_a_refill_may_use_the_clock_but_for_the_overhead() {
        let clock = Clock {
            left: ms(1_000),
            increment: ms(0),
            moves_to_go: Some(1),
        };
        assert!(Budget::new(clock, ms(30)).hard <= ms(970));
        assert!(Budget::new(clock, ms(30)).soft >= ms(500));
    }

    #[test]
    fn a_fixed_time_is_used_but_for_the_overhead() {
        assert_eq!(Budget::for_move(ms(1_000), ms(10)).hard, ms(990));
        assert_eq!(Budget::for_move(ms(10), ms(10)).hard, ms(5));
        assert_eq!(Budget::for_move(ms(0), ms(10)).hard, ms(1));
    }

    #[test]
    fn more_time_means_a_longer_move() {
        let soft = |left| {
            Budget::new(
                Clock {
                    left: ms(left),
                    increment: ms(0),
                    moves_to_go: None,
                },
                ms(10),
            )
            .soft
        };
        assert!(soft(1_000) < soft(10_000) && soft(10_000) < soft(100_000));
    }
}
