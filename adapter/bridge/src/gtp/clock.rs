//! Clocks: converts a GTP controller's time commands to engine limits, and engine limits to time commands for a GTP
//! program.

use std::collections::BTreeSet;
use std::time::Duration;

use kit::Side;
use protocol::Go;
use record::clock::{Limit, TimeControl};

use super::command::{TimeLeft, TimeSettings, colour};
use crate::ugi::seconds;

/// Minimum time for a search.
const MIN_TIME: Duration = Duration::from_millis(1);

/// Clocks as set by the controller.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Clocks {
    settings: Option<TimeSettings>,
    /// Indexed by side.
    left: [Option<TimeLeft>; 2],
}

impl Clocks {
    /// Sets new clocks.
    pub(super) fn set(&mut self, settings: TimeSettings) {
        self.settings = Some(settings);
        self.rewind();
    }

    /// Resets both clocks for a new game.
    pub(super) fn rewind(&mut self) {
        self.left = [None; 2];
    }

    /// Sets the remaining time of a clock.
    pub(super) fn update(&mut self, side: Side, left: TimeLeft) {
        self.left[side.index()] = Some(left);
    }

    /// Subtracts the time of an engine's move, for controllers that do not send `time_left`.
    pub(super) fn spend(&mut self, side: Side, elapsed: Duration) {
        let Some(settings) = self.settings else {
            return;
        };
        let mut left = self.left(side, settings);
        left.time -= elapsed.as_secs_f64();
        if left.stones > 0 {
            left.stones -= 1;
        }
        if left.stones == 0 && (left.time <= 0.0 || settings.main == 0.0) {
            left = period(settings);
        }
        self.left[side.index()] = Some(left);
    }

    /// Returns the limit of the next search; `None` without a clock.
    pub(super) fn limit(&self, side: Side) -> Option<Limit> {
        let settings = self.settings?;
        // In GTP, a period without moves means no limit.
        if settings.stones == 0 && settings.byo_yomi > 0.0
            || settings.main == 0.0 && settings.byo_yomi == 0.0
        {
            return None;
        }
        let TimeLeft { time, stones } = self.left(side, settings);
        let time = Duration::try_from_secs_f64(time).unwrap_or_default();
        // In the main time, the later periods count as an increment.
        let inc = match settings.stones {
            0 => 0.0,
            per_period => settings.byo_yomi / f64::from(per_period),
        };
        let inc = Duration::try_from_secs_f64(inc).unwrap_or_default();
        let control = TimeControl::Countdown {
            moves: (stones > 0).then_some(stones),
            time: time.max(MIN_TIME),
            inc: if stones > 0 { Duration::ZERO } else { inc },
        };
        Some(Limit::Clock(control, None))
    }

    fn left(&self, side: Side, settings: TimeSettings) -> TimeLeft {
        let begun = match settings.main {
            0.0 => period(settings),
            main => TimeLeft {
                time: main,
                stones: 0,
            },
        };
        self.left[side.index()].unwrap_or(begun)
    }
}

/// Returns a full period.
fn period(settings: TimeSettings) -> TimeLeft {
    TimeLeft {
        time: settings.byo_yomi,
        stones: settings.stones,
    }
}

/// Returns the lines that send a limit, if the program has the commands: a time per move, or both clocks.
pub(super) fn clock_lines(go: &Go, side: Side, commands: &BTreeSet<String>) -> Vec<String> {
    if !commands.contains("time_settings") {
        return Vec::new();
    }
    if let Some(time) = go.move_time {
        return vec![format!("time_settings 0 {} 1", seconds(time))];
    }
    let times = [go.p1_time, go.p2_time];
    let Some(own) = times[side.index()] else {
        return Vec::new();
    };
    // GTP has no increment; a period of one move is the closest equivalent.
    let inc = [go.p1_inc, go.p2_inc][side.index()].unwrap_or_default();
    let stones = u32::from(!inc.is_zero());
    let (own, inc) = (seconds(own), seconds(inc));
    let mut lines = vec![format!("time_settings {own} {inc} {stones}")];
    if commands.contains("time_left") {
        let clocks = Side::BOTH.into_iter().zip(times);
        lines.extend(clocks.filter_map(|(of, time)| {
            let stones = go.moves_to_go.filter(|_| of == side).unwrap_or(0);
            let time = seconds(time?);
            Some(format!("time_left {} {time} {stones}", colour(of)))
        }));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(main: f64, byo_yomi: f64, stones: u32) -> Clocks {
        let mut clocks = Clocks::default();
        clocks.set(TimeSettings {
            main,
            byo_yomi,
            stones,
        });
        clocks
    }

    fn told(clocks: &Clocks) -> Option<String> {
        clocks.limit(Side::P1).map(|limit| limit.to_string())
    }

    #[test]
    fn settings_give_the_first_limit() {
        for (clocks, limit) in [
            (Clocks::default(), None),
            (clocks(0.0, 1.0, 0), None),
            (clocks(0.0, 0.0, 0), None),
            (clocks(300.0, 0.0, 0), Some("tc=300")),
            (clocks(300.0, 20.0, 10), Some("tc=300+2")),
            (clocks(0.0, 20.0, 10), Some("tc=10/20")),
        ] {
            assert_eq!(told(&clocks).as_deref(), limit);
        }
    }

    #[test]
    fn what_is_left_comes_from_the_controller_or_is_counted() {
        let mut clocks = clocks(60.0, 10.0, 5);
        clocks.spend(Side::P1, Duration::from_secs(20));
        assert_eq!(told(&clocks).as_deref(), Some("tc=40+2"));
        clocks.spend(Side::P1, Duration::from_secs(45));
        assert_eq!(told(&clocks).as_deref(), Some("tc=5/10"), "a first period");
        clocks.spend(Side::P1, Duration::from_secs(4));
        assert_eq!(told(&clocks).as_deref(), Some("tc=4/6"));
        clocks.update(
            Side::P1,
            TimeLeft {
                time: 0.0,
                stones: 1,
            },
        );
        assert_eq!(told(&clocks).as_deref(), Some("tc=1/0.001"));
        clocks.rewind();
        assert_eq!(told(&clocks).as_deref(), Some("tc=60+2"));
    }

    #[test]
    fn a_program_is_told_what_it_has_commands_for() {
        let commands = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let all: BTreeSet<String> = commands(&["time_settings", "time_left"]);
        let go = Go {
            p1_time: Some(Duration::from_secs(60)),
            p2_time: Some(Duration::from_millis(1500)),
            p2_inc: Some(Duration::from_secs(2)),
            ..Go::default()
        };
        assert_eq!(
            clock_lines(&go, Side::P2, &all),
            [
                "time_settings 1.5 2 1",
                "time_left black 60 0",
                "time_left white 1.5 0"
            ]
        );
        assert_eq!(
            clock_lines(&go, Side::P1, &commands(&["time_settings"])),
            ["time_settings 60 0 0"]
        );
        let move_time = Go {
            move_time: Some(Duration::from_secs(3)),
            ..Go::default()
        };
        assert_eq!(
            clock_lines(&move_time, Side::P1, &all),
            ["time_settings 0 3 1"]
        );
        assert_eq!(clock_lines(&go, Side::P1, &BTreeSet::new()), [""; 0]);
        let nodes = Go {
            nodes: Some(5),
            ..Go::default()
        };
        assert_eq!(clock_lines(&nodes, Side::P1, &all), [""; 0]);
    }
}
