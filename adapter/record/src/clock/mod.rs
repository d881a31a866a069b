//! Time limits and clocks, and the resulting parameters of `go`.
//!
//! [`Limit`] is the user's setting, [`Clock`] a player's clock in one game. This module does not measure time: the
//! caller passes the time used.

mod limit;

pub use limit::{Limit, SearchLimit, TimeControl};

use std::time::Duration;

use kit::Side;
use protocol::Go;

/// A player's clock in one game.
#[derive(Debug, Clone)]
pub struct Clock {
    limit: Limit,
    margin: Duration,
    left: Duration,
    moves_to_go: Option<u32>,
}

/// A move took longer than the clock and its margin allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overrun;

impl Clock {
    /// Creates a clock for a game. An overrun of up to `margin` is tolerated.
    pub fn new(limit: Limit, margin: Duration) -> Clock {
        let (left, moves_to_go) = match limit {
            Limit::Clock(control, _) => (control.time, control.moves),
            Limit::MoveTime(time) => (time, None),
            Limit::Search(_) | Limit::Unlimited => (Duration::ZERO, None),
        };
        Clock {
            limit,
            margin,
            left,
            moves_to_go,
        }
    }

    /// Maximum time for the next move without losing on time, including the margin; `None` without a time limit.
    pub fn allowance(&self) -> Option<Duration> {
        self.limit.is_time().then(|| self.left + self.margin)
    }

    /// Subtracts the time of a move, then adds the increment and, if reached, the next period.
    pub fn spend(&mut self, elapsed: Duration) -> Result<(), Overrun> {
        if self
            .allowance()
            .is_some_and(|allowance| elapsed > allowance)
        {
            return Err(Overrun);
        }
        if let Limit::Clock(control, _) = self.limit {
            self.left = self.left.saturating_sub(elapsed) + control.inc;
            self.moves_to_go = self.moves_to_go.map(|n| n - 1);
            if self.moves_to_go == Some(0) {
                self.left += control.time;
                self.moves_to_go = control.moves;
            }
        }
        Ok(())
    }

    /// Adds the time of an opponent's move, which only affects an hourglass.
    pub fn gain(&mut self, elapsed: Duration) {
        if let Limit::Clock(control, _) = self.limit
            && control.is_hourglass
        {
            self.left = self.left.saturating_add(elapsed);
        }
    }

    /// The limit of this clock.
    pub fn limit(&self) -> Limit {
        self.limit
    }

    /// Time left for the next move; zero without a time limit.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Time left on the clock; `None` without a clock.
    pub fn shown(&self) -> Option<Duration> {
        matches!(self.limit, Limit::Clock(..)).then_some(self.left)
    }
}

/// Records a move of one side on both clocks.
pub fn spend(clocks: &mut [Clock; 2], side: Side, elapsed: Duration) -> Result<(), Overrun> {
    clocks[side.index()].spend(elapsed)?;
    clocks[side.other().index()].gain(elapsed);
    Ok(())
}

/// Returns the parameters of `go` for the side to move. With a clock, the times of both players are included.
pub fn limits(side: Side, clocks: &[Clock; 2]) -> Go {
    let mut go = Go::default();
    let own = &clocks[side.index()];
    if let Limit::Clock(..) = own.limit {
        [go.p1_time, go.p2_time] = clocks.each_ref().map(Clock::shown);
        [go.p1_inc, go.p2_inc] = clocks.each_ref().map(|clock| match clock.limit {
            Limit::Clock(control, _) => Some(control.inc),
            _ => None,
        });
        go.moves_to_go = own.moves_to_go;
    }
    match own.limit {
        Limit::MoveTime(time) => go.move_time = Some(time),
        Limit::Clock(_, Some(search)) | Limit::Search(search) => match search {
            SearchLimit::Depth(depth) => go.depth = Some(depth),
            SearchLimit::Nodes(nodes) => go.nodes = Some(nodes),
        },
        Limit::Clock(_, None) | Limit::Unlimited => {}
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> Limit {
        text.parse().expect("a limit")
    }

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_clock_runs_down_and_gains() {
        let mut clock = Clock::new(limit("tc=1+0.1"), ms(20));
        assert_eq!(clock.spend(ms(300)), Ok(()));
        assert_eq!(clock.left, ms(800));
        assert_eq!(clock.spend(ms(820)), Ok(()), "the margin forgives");
        assert_eq!(clock.left, ms(100));
        assert_eq!(clock.spend(ms(121)), Err(Overrun));
    }

    #[test]
    fn a_clock_is_refilled_after_its_moves() {
        let mut clock = Clock::new(limit("tc=2/10"), Duration::ZERO);
        clock.spend(ms(1000)).unwrap();
        assert_eq!((clock.left, clock.moves_to_go), (ms(9000), Some(1)));
        clock.spend(ms(1000)).unwrap();
        assert_eq!((clock.left, clock.moves_to_go), (ms(18000), Some(2)));
    }

    #[test]
    fn an_hourglass_gains_what_the_opponent_spends() {
        let mut clocks = ["hourglass=1", "hourglass=2"].map(|text| Clock::new(limit(text), ms(50)));
        let left = |clocks: &[Clock; 2]| clocks.each_ref().map(|clock| clock.left);
        assert_eq!(spend(&mut clocks, Side::P1, ms(300)), Ok(()));
        assert_eq!(left(&clocks), [ms(700), ms(2300)]);
        assert_eq!(spend(&mut clocks, Side::P2, ms(2300)), Ok(()));
        assert_eq!(left(&clocks), [ms(3000), ms(0)]);
        spend(&mut clocks, Side::P1, ms(1)).expect("in time");
        assert_eq!(spend(&mut clocks, Side::P2, ms(52)), Err(Overrun));
        assert_eq!(
            left(&clocks),
            [ms(2999), ms(1)],
            "nothing moves after an overrun"
        );
        let go = limits(Side::P1, &clocks);
        assert_eq!((go.p1_time, go.p2_time), (Some(ms(2999)), Some(ms(1))));
        assert_eq!((go.p1_inc, go.moves_to_go), (Some(ms(0)), None));
    }

    /// A clock is told with that of the other player, and with a search limit; the other kinds of limits alone.
    #[test]
    fn each_player_is_told_his_limit() {
        let clock = |inc, other_inc| Go {
            p1_time: Some(ms(10_000)),
            p2_time: Some(ms(2000)),
            p1_inc: Some(ms(inc)),
            p2_inc: Some(ms(other_inc)),
            ..Go::default()
        };
        for (texts, p1, p2) in [
            (
                ["tc=10+0.1 nodes=7", "tc=2"],
                Go {
                    nodes: Some(7),
                    ..clock(100, 0)
                },
                clock(100, 0),
            ),
            (
                ["tc=2/10+1", "nodes=7"],
                Go {
                    p2_time: None,
                    p2_inc: None,
                    moves_to_go: Some(2),
                    ..clock(1000, 0)
                },
                Go {
                    nodes: Some(7),
                    ..Go::default()
                },
            ),
        ] {
            let clocks = texts.map(|text| Clock::new(limit(text), Duration::ZERO));
            assert_eq!(limits(Side::P1, &clocks), p1, "{texts:?}");
            assert_eq!(limits(Side::P2, &clocks), p2, "{texts:?}");
        }
    }
}
