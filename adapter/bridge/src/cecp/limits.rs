//! What a GUI says of time, depth and nodes, as the limit of one search.

use std::time::Duration;

use referee::clock::{Limit, SearchLimit, TimeControl};

use super::command::Level;

/// XBoard may tell that no time is left; a search needs some.
const LEAST_TIME: Duration = Duration::from_millis(10);

/// The moves for which a clock without sessions is counted on, where time is counted in nodes.
const MOVES_AHEAD: u32 = 30;

/// The limits that hold now.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct GuiLimits {
    /// `level`.
    level: Option<Level>,
    /// `st`.
    move_time: Option<Duration>,
    /// `sd`.
    depth: Option<u32>,
    /// `nps`: nodes that count as a second.
    node_rate: Option<u64>,
    /// `time`: left on the engine's clock. Without it, the engine is told the base time.
    left: Option<Duration>,
}

impl GuiLimits {
    /// `new`: clocks stand at their beginning; there is no limit of depth, and time is time.
    pub(super) fn begin_game(&mut self) {
        self.depth = None;
        self.node_rate = None;
        self.left = None;
    }

    /// `level`, which ends `st`.
    pub(super) fn set_level(&mut self, level: Level) {
        self.level = Some(level);
        self.move_time = None;
        self.left = None;
    }

    /// `st`, which ends `level`.
    pub(super) fn set_move_time(&mut self, time: Duration) {
        self.move_time = Some(time);
        self.level = None;
    }

    /// `sd`; 0 ends it.
    pub(super) fn set_depth(&mut self, depth: u32) {
        self.depth = (depth > 0).then_some(depth);
    }

    /// `nps`; 0 ends it.
    pub(super) fn set_node_rate(&mut self, rate: u64) {
        self.node_rate = (rate > 0).then_some(rate);
    }

    /// `time`.
    pub(super) fn set_left(&mut self, left: Duration) {
        self.left = Some(left);
    }

    /// The limit of the next search by a side that has made so many moves; `None` if the GUI has given none.
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

    /// The share of a clock that one move may take.
    fn time_for_a_move(&self, n_own_moves: u32) -> Option<Duration> {
        if let Some(time) = self.move_time {
            return Some(time);
        }
        let level = self.level?;
        let moves = moves_left(level, n_own_moves).unwrap_or(MOVES_AHEAD);
        Some(self.left.unwrap_or(level.base) / moves + level.increment)
    }
}

/// The moves to the end of the session; `None` if it lasts for the whole game.
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
}
