//! Clocks: converts a GTP controller's time commands to engine limits, and engine limits to time commands for a GTP
//! program.

use std::collections::BTreeSet;
use std::time::Duration;

use kit::Side;
use protocol::Go;
use record::clock::{Limit, TimeControl};

use super::colour;

/// Minimum time for a search.
const MIN_TIME: Duration = Duration::from_millis(1);

/// Maximum time accepted: one year, in seconds.
const MAX_SECONDS: f64 = 31_536_000.0;

fn seconds(word: &str) -> Option<Duration> {
    let seconds = word.parse().ok()?;
    let is_accepted = (0.0..=MAX_SECONDS).contains(&seconds);
    is_accepted.then(|| Duration::from_secs_f64(seconds))
}

/// Clocks as set by the controller.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Clocks {
    /// The main time, or the first period if there is none, and each later period; `None` without a limit.
    settings: Option<[TimeControl; 2]>,
    /// The remaining time and moves since the last command about them, indexed by side.
    pub(super) left: [Option<TimeControl>; 2],
}

impl Clocks {
    /// Parses the arguments of `time_settings`: the main time, and the time and the moves of a period. In GTP, a period
    /// above 0 without moves means no limit.
    pub(super) fn parse(main: &str, time: &str, stones: &str) -> Option<Clocks> {
        let (main, time, stones) = (seconds(main)?, seconds(time)?, stones.parse().ok()?);
        let period = control(time, stones, Duration::ZERO);
        // In the main time, the later periods count as an increment.
        let inc = time.checked_div(stones).unwrap_or_default();
        let is_limited = stones > 0 && !time.is_zero() || time.is_zero() && !main.is_zero();
        let first = match main.is_zero() {
            true => period,
            false => control(main, 0, inc),
        };
        Some(Clocks {
            settings: is_limited.then_some([first, period]),
            left: [None; 2],
        })
    }

    /// Parses the arguments of `time_left`: the time, and the moves left in the period, 0 in the main time.
    pub(super) fn set_left(&mut self, side: Side, time: &str, stones: &str) -> Option<()> {
        let inc = self.settings.map_or(Duration::ZERO, |[first, _]| first.inc);
        let stones = stones.parse().ok()?;
        let inc = if stones == 0 { inc } else { Duration::ZERO };
        self.left[side.index()] = Some(control(seconds(time)?, stones, inc));
        Some(())
    }

    /// Subtracts the time of an engine's move, for controllers that do not send `time_left`.
    pub(super) fn spend(&mut self, side: Side, elapsed: Duration) {
        if let Some([first, period]) = self.settings {
            let mut left = self.left[side.index()].unwrap_or(first);
            left.time = left.time.saturating_sub(elapsed);
            left.moves = left.moves.map(|stones| stones - 1);
            let is_over = left.moves.map_or(left.time.is_zero(), |stones| stones == 0);
            self.left[side.index()] = Some(if is_over { period } else { left });
        }
    }

    /// Returns the limit of the next search; `None` without a clock.
    pub(super) fn limit(&self, side: Side) -> Option<Limit> {
        let [first, _] = self.settings?;
        let left = self.left[side.index()].unwrap_or(first);
        let time = left.time.max(MIN_TIME);
        Some(Limit::Clock(TimeControl { time, ..left }, None))
    }
}

fn control(time: Duration, stones: u32, inc: Duration) -> TimeControl {
    TimeControl {
        moves: (stones > 0).then_some(stones),
        time,
        inc,
        is_hourglass: false,
    }
}

/// The limits of a game as the commands of GTP.
#[derive(Debug, Default)]
pub(super) struct ProgramClock {
    /// The settings sent last.
    settings: Option<String>,
}

impl ProgramClock {
    /// Returns the lines that send a limit, if the program has the commands: a time per move, or a clock.
    ///
    /// GTP 2 has whole seconds. They are rounded down, so that the program is never told more time than there is; what
    /// is below a second is not sent.
    pub(super) fn lines(
        &mut self,
        go: &Go,
        side: Side,
        commands: &BTreeSet<String>,
    ) -> Vec<String> {
        let times = [go.p1_time, go.p2_time];
        let settings = match (go.move_time, times[side.index()]) {
            _ if !commands.contains("time_settings") => None,
            (Some(time), _) => (time.as_secs() > 0).then(|| format!("0 {} 1", time.as_secs())),
            (None, Some(_)) if self.settings.is_some() && commands.contains("time_left") => {
                self.settings.clone()
            }
            (None, Some(own)) => {
                let own = own.as_secs();
                // A period of one move is what GTP has in place of an increment.
                let inc = [go.p1_inc, go.p2_inc][side.index()]
                    .unwrap_or_default()
                    .as_secs();
                match go.moves_to_go {
                    _ if own == 0 => None,
                    Some(moves) => Some(format!("0 {own} {moves}")),
                    None => Some(format!("{own} {inc} {}", u8::from(inc > 0))),
                }
            }
            (None, None) => None,
        };
        let Some(settings) = settings else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        if self.settings.as_ref() != Some(&settings) {
            lines.push(format!("time_settings {settings}"));
            self.settings = Some(settings);
        }
        if commands.contains("time_left") {
            lines.extend(Side::BOTH.into_iter().zip(times).filter_map(|(of, time)| {
                let stones = go.moves_to_go.filter(|_| of == side).unwrap_or(0);
                let time = time?.as_secs();
                Some(format!("time_left {} {time} {stones}", colour(of)))
            }));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(words: &str) -> Clocks {
        let words: Vec<&str> = words.split(' ').collect();
        Clocks::parse(words[0], words[1], words[2]).expect("settings")
    }

    fn told(clocks: &Clocks) -> Option<String> {
        clocks.limit(Side::P1).map(|limit| limit.to_string())
    }

    #[test]
    fn settings_give_the_first_limit() {
        for (clocks, limit) in [
            (Clocks::default(), None),
            (clocks("0 1 0"), None),
            (clocks("0 0 0"), None),
            (clocks("300 0 0"), Some("tc=300")),
            (clocks("300 20 10"), Some("tc=300+2")),
            (clocks("0 20 10"), Some("tc=10/20")),
        ] {
            assert_eq!(told(&clocks).as_deref(), limit);
        }
    }

    #[test]
    fn what_is_left_comes_from_the_controller_or_is_counted() {
        let mut clocks = clocks("60 10 5");
        clocks.spend(Side::P1, Duration::from_secs(20));
        assert_eq!(told(&clocks).as_deref(), Some("tc=40+2"));
        clocks.spend(Side::P1, Duration::from_secs(45));
        assert_eq!(told(&clocks).as_deref(), Some("tc=5/10"), "a first period");
        clocks.spend(Side::P1, Duration::from_secs(4));
        assert_eq!(told(&clocks).as_deref(), Some("tc=4/6"));
        clocks.set_left(Side::P1, "0", "1").expect("a time");
        assert_eq!(told(&clocks).as_deref(), Some("tc=1/0.001"));
        clocks.left = [None; 2];
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
        let lines = |go: &Go, side, commands: &BTreeSet<String>| {
            ProgramClock::default().lines(go, side, commands)
        };
        assert_eq!(
            lines(&go, Side::P2, &all),
            [
                "time_settings 1 2 1",
                "time_left black 60 0",
                "time_left white 1 0"
            ]
        );
        assert_eq!(
            lines(&go, Side::P1, &commands(&["time_settings"])),
            ["time_settings 60 0 0"]
        );
        let move_time = |ms| Go {
            move_time: Some(Duration::from_millis(ms)),
            ..Go::default()
        };
        assert_eq!(
            lines(&move_time(3900), Side::P1, &all),
            ["time_settings 0 3 1"]
        );
        assert_eq!(lines(&move_time(900), Side::P1, &all), [""; 0]);
        assert_eq!(lines(&go, Side::P1, &BTreeSet::new()), [""; 0]);
        let nodes = Go {
            nodes: Some(5),
            ..Go::default()
        };
        assert_eq!(lines(&nodes, Side::P1, &all), [""; 0]);
        let period = Go {
            moves_to_go: Some(7),
            p2_inc: None,
            ..go.clone()
        };
        assert_eq!(
            lines(&period, Side::P1, &all),
            [
                "time_settings 0 60 7",
                "time_left black 60 7",
                "time_left white 1 0"
            ]
        );
    }

    #[test]
    fn settings_are_told_once_and_the_time_left_before_each_move() {
        let all = ["time_settings", "time_left"].map(str::to_owned).into();
        let mut clock = ProgramClock::default();
        let mut told = |ms, moves_to_go| {
            let go = Go {
                p1_time: Some(Duration::from_millis(ms)),
                moves_to_go,
                ..Go::default()
            };
            clock.lines(&go, Side::P1, &all).join("|")
        };
        assert_eq!(
            told(20_000, Some(40)),
            "time_settings 0 20 40|time_left black 20 40"
        );
        assert_eq!(told(19_999, Some(39)), "time_left black 19 39");
        assert_eq!(told(300, Some(1)), "time_left black 0 1");
    }
}
