//! Converts the time, depth and node limits of a GUI to the limit of one search.

use std::time::Duration;

use record::clock::{Limit, SearchLimit, TimeControl};

use super::command::Level;
use crate::ugi::seconds;

/// Minimum time for a search, since XBoard may report no time left.
const LEAST_TIME: Duration = Duration::from_millis(10);

/// Expected remaining moves on a clock without sessions, if time is measured in nodes.
const MOVES_AHEAD: u32 = 30;

/// Current limits.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct GuiLimits {
    /// `level`.
    level: Option<Level>,
    /// `st`.
    move_time: Option<Duration>,
    /// `sd`.
    depth: Option<u32>,
    /// `nps`: nodes per second of measured time.
    node_rate: Option<u64>,
    /// `time`: remaining time of the engine; the base time if absent.
    left: Option<Duration>,
}

impl GuiLimits {
    /// `new`: resets the clock, the depth limit and the node rate.
    pub(super) fn begin_game(&mut self) {
        self.depth = None;
        self.node_rate = None;
        self.left = None;
    }

    /// `level`, which cancels `st`.
    pub(super) fn set_level(&mut self, level: Level) {
        self.level = Some(level);
        self.move_time = None;
        self.left = None;
    }

    /// `st`, which cancels `level`.
    pub(super) fn set_move_time(&mut self, time: Duration) {
        self.move_time = Some(time);
        self.level = None;
    }

    /// `sd`; 0 cancels it.
    pub(super) fn set_depth(&mut self, depth: u32) {
        self.depth = (depth > 0).then_some(depth);
    }

    /// `nps`; 0 cancels it.
    pub(super) fn set_node_rate(&mut self, rate: u64) {
        self.node_rate = (rate > 0).then_some(rate);
    }

    /// `time`.
    pub(super) fn set_left(&mut self, left: Duration) {
        self.left = Some(left);
    }

    /// Returns the limit of the next search by a side that has made this number of moves; `None` without a limit.
    pub(super) fn limit(&self, n_own_moves: u32) -> Option<Limit> {
        if let Some(rate) = self.node_rate
            && let Some(time) = self.time_for_a_move(n_own_moves)
        {
            let nodes = (time.as_secs_f64() * rate as f64).round().max(1.0) as u64;
            return Some(Limit::Search(SearchLimit::Nodes(nodes)));
        }
        let depth = self.depth.map(SearchLimit::Depth);
        match self.time_control(n_own_moves) {
            Some(control) => Some(Limit::Clock(control, depth)),
            None => match (self.move_time, depth) {
                (Some(time), None) => Some(Limit::MoveTime(time.max(LEAST_TIME))),
                (Some(time), depth) => {
                    let control = TimeControl::Countdown {
                        moves: Some(1),
                        time: time.max(LEAST_TIME),
                        inc: Duration::ZERO,
                    };
                    Some(Limit::Clock(control, depth))
                }
                (None, depth) => depth.map(Limit::Search),
            },
        }
    }

    fn time_control(&self, n_own_moves: u32) -> Option<TimeControl> {
        let level = self.level?;
        Some(TimeControl::Countdown {
            moves: moves_left(level, n_own_moves),
            time: self.left.unwrap_or(level.base).max(LEAST_TIME),
            inc: level.increment,
        })
    }

    /// Returns the time for one move: its share of the clock, or the fixed time.
    fn time_for_a_move(&self, n_own_moves: u32) -> Option<Duration> {
        if let Some(time) = self.move_time {
            return Some(time);
        }
        let level = self.level?;
        let moves = moves_left(level, n_own_moves).unwrap_or(MOVES_AHEAD);
        Some(self.left.unwrap_or(level.base) / moves + level.increment)
    }
}

/// Formats a `level` line. A base time of whole minutes is sent in minutes, any other one as minutes and seconds,
/// rounded up to whole seconds.
pub(super) fn level_line(moves: u32, base: Duration, increment: Duration) -> String {
    let total = base.as_secs() + u64::from(base.subsec_nanos() > 0);
    let (minutes, rest) = (total / 60, total % 60);
    let base = match rest {
        0 => minutes.to_string(),
        rest => format!("{minutes}:{rest:02}"),
    };
    format!("level {moves} {base} {}", seconds(increment))
}

/// Returns the moves left in the session; `None` if it lasts for the whole game.
fn moves_left(level: Level, n_own_moves: u32) -> Option<u32> {
    (level.moves > 0).then(|| level.moves - n_own_moves % level.moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(moves: u32, base_s: u64, inc_s: u64) -> Level {
        Level {
            moves,
            base: Duration::from_secs(base_s),
            increment: Duration::from_secs(inc_s),
        }
    }

    fn text(limits: &GuiLimits, n_own_moves: u32) -> String {
        let limit = limits.limit(n_own_moves);
        limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string())
    }

    #[test]
    fn clocks_count_from_what_the_gui_tells() {
        let mut limits = GuiLimits::default();
        assert_eq!(text(&limits, 0), "none");
        limits.set_level(level(40, 300, 0));
        assert_eq!(text(&limits, 0), "tc=40/300");
        limits.set_left(Duration::from_secs(7));
        assert_eq!(text(&limits, 38), "tc=2/7");
        assert_eq!(text(&limits, 40), "tc=40/7");
        limits.set_depth(3);
        assert_eq!(text(&limits, 0), "tc=40/7 depth=3");
        limits.begin_game();
        assert_eq!(text(&limits, 0), "tc=40/300");
        limits.set_level(level(0, 60, 1));
        assert_eq!(text(&limits, 9), "tc=60+1");
        limits.set_left(Duration::ZERO);
        assert_eq!(text(&limits, 9), "tc=0.01+1");
    }

    #[test]
    fn a_time_for_each_move_takes_the_place_of_a_clock() {
        let mut limits = GuiLimits::default();
        limits.set_level(level(40, 300, 0));
        limits.set_move_time(Duration::from_secs(2));
        assert_eq!(text(&limits, 5), "st=2");
        limits.set_depth(4);
        assert_eq!(text(&limits, 5), "tc=1/2 depth=4");
        limits.set_level(level(0, 60, 0));
        assert_eq!(text(&limits, 5), "tc=60 depth=4");
    }

    #[test]
    fn nodes_may_count_as_time() {
        let mut limits = GuiLimits::default();
        limits.set_node_rate(1);
        assert_eq!(text(&limits, 0), "none");
        limits.set_move_time(Duration::from_secs(2000));
        assert_eq!(text(&limits, 0), "nodes=2000");
        limits.set_level(level(0, 60, 1));
        limits.set_node_rate(100);
        assert_eq!(text(&limits, 0), "nodes=300");
        limits.set_node_rate(0);
        assert_eq!(text(&limits, 0), "tc=60+1");
    }

    #[test]
    fn clocks_of_seconds_are_sent_in_seconds() {
        for (base_ms, line) in [
            (1000, "level 0 0:01 0"),
            (1, "level 0 0:01 0"),
            (60_000, "level 0 1 0"),
            (60_500, "level 0 1:01 0"),
            (90_000, "level 0 1:30 0"),
            (300_000, "level 0 5 0"),
        ] {
            let base = Duration::from_millis(base_ms);
            assert_eq!(level_line(0, base, Duration::ZERO), line);
        }
    }
}
