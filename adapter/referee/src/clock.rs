//! Limits and clocks: how long a player may think, and the words after `go`.
//!
//! [`Limit`] is the user's setting, [`Clock`] a player's clock in one game. Nothing here measures time: the
//! caller passes the time used.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use kit::Side;
use protocol::Go;
use serde::{Deserialize, Serialize};

/// The one kind of limit that a player has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Limit {
    /// `tc=[MOVES/]TIME[+INC]`: a clock. TIME is in seconds or `MIN:SEC`.
    Clock(TimeControl),
    /// `st=`: a fixed time per move.
    MoveTime(Duration),
    /// `depth=`: plies to search.
    Depth(u32),
    /// `nodes=`: positions to search.
    Nodes(u64),
    /// No limit: a person without a clock. Engines always have a limit.
    Unlimited,
}

/// A clock's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves after which `time` is added again; `None` for the whole game.
    pub moves: Option<u32>,
    /// Time at the beginning, and again after `moves` moves.
    pub time: Duration,
    /// Time gained with each move.
    pub inc: Duration,
}

/// The error of a text that is no limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitError {
    word: String,
    expected: &'static str,
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: expected {}", self.word, self.expected)
    }
}

impl std::error::Error for LimitError {}

/// One year. Longer times are mistakes and could overflow sums.
const MAX_SECONDS: f64 = 31_536_000.0;

/// As PGN writes it.
const UNLIMITED: &str = "-";

const EXPECTED_TIME: &str = "seconds above 0, as in 0.5";
const EXPECTED_CLOCK: &str =
    "[MOVES/]TIME[+INC] in seconds or MIN:SEC, as in 10+0.1, 40/60 or 1:30+1";
const EXPECTED_COUNT: &str = "a whole number above 0";

impl Limit {
    /// Whether it limits time: a clock, or a time per move.
    pub fn is_time(&self) -> bool {
        matches!(self, Limit::Clock(_) | Limit::MoveTime(_))
    }

    /// Reads the value of one of the words `tc`, `st`, `depth` and `nodes`; `None` for other words.
    pub fn parse(key: &str, value: &str) -> Option<Result<Limit, LimitError>> {
        let limit = match key {
            "tc" => parse_clock(value).map(Limit::Clock).ok_or(EXPECTED_CLOCK),
            "st" => parse_seconds(value)
                .filter(|time| !time.is_zero())
                .map(Limit::MoveTime)
                .ok_or(EXPECTED_TIME),
            "depth" => parse_count(value).map(Limit::Depth).ok_or(EXPECTED_COUNT),
            "nodes" => parse_count(value).map(Limit::Nodes).ok_or(EXPECTED_COUNT),
            _ => return None,
        };
        Some(limit.map_err(|expected| LimitError {
            word: format!("{key}={value}"),
            expected,
        }))
    }
}

fn parse_clock(value: &str) -> Option<TimeControl> {
    let (moves, rest) = match value.split_once('/') {
        Some((moves, rest)) => (Some(parse_count(moves)?), rest),
        None => (None, value),
    };
    let (time, inc) = match rest.split_once('+') {
        Some((time, inc)) => (parse_time(time)?, parse_seconds(inc)?),
        None => (parse_time(rest)?, Duration::ZERO),
    };
    (!time.is_zero()).then_some(TimeControl { moves, time, inc })
}

/// Seconds, or minutes and seconds.
fn parse_time(text: &str) -> Option<Duration> {
    let Some((minutes, seconds)) = text.split_once(':') else {
        return parse_seconds(text);
    };
    let minutes: u32 = minutes.parse().ok()?;
    let seconds = parse_seconds(seconds).filter(|seconds| seconds.as_secs() < 60)?;
    let time = Duration::from_secs(u64::from(minutes) * 60) + seconds;
    (time.as_secs_f64() <= MAX_SECONDS).then_some(time)
}

fn parse_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    if !(0.0..=MAX_SECONDS).contains(&seconds) {
        return None;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

fn parse_count<T: FromStr + Default + PartialEq>(text: &str) -> Option<T> {
    text.parse().ok().filter(|count| *count != T::default())
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Clock(control) => write!(f, "tc={control}"),
            Limit::MoveTime(time) => write!(f, "st={}", time.as_secs_f64()),
            Limit::Depth(depth) => write!(f, "depth={depth}"),
            Limit::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Limit::Unlimited => f.write_str(UNLIMITED),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if !self.inc.is_zero() {
            write!(f, "+{}", self.inc.as_secs_f64())?;
        }
        Ok(())
    }
}

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Limit, LimitError> {
        if text == UNLIMITED {
            return Ok(Limit::Unlimited);
        }
        text.split_once('=')
            .and_then(|(key, value)| Limit::parse(key, value))
            .unwrap_or_else(|| {
                Err(LimitError {
                    word: text.to_owned(),
                    expected: "tc=, st=, depth= or nodes=",
                })
            })
    }
}

impl TryFrom<String> for Limit {
    type Error = LimitError;

    fn try_from(text: String) -> Result<Limit, LimitError> {
        text.parse()
    }
}

impl From<Limit> for String {
    fn from(limit: Limit) -> String {
        limit.to_string()
    }
}

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
    /// A clock at the beginning of a game; an overrun of up to `margin` does not lose.
    pub fn new(limit: Limit, margin: Duration) -> Clock {
        let (left, moves_to_go) = match limit {
            Limit::Clock(control) => (control.time, control.moves),
            Limit::MoveTime(time) => (time, None),
            Limit::Depth(_) | Limit::Nodes(_) | Limit::Unlimited => (Duration::ZERO, None),
        };
        Clock {
            limit,
            margin,
            left,
            moves_to_go,
        }
    }

    /// How long the next move may take without losing on time, margin included; `None` without a time limit.
    pub fn allowance(&self) -> Option<Duration> {
        match self.limit {
            Limit::Clock(_) | Limit::MoveTime(_) => Some(self.left + self.margin),
            Limit::Depth(_) | Limit::Nodes(_) | Limit::Unlimited => None,
        }
    }

    /// Subtracts a move's time and adds the increment or the next period.
    pub fn spend(&mut self, elapsed: Duration) -> Result<(), Overrun> {
        if self
            .allowance()
            .is_some_and(|allowance| elapsed > allowance)
        {
            return Err(Overrun);
        }
        if let Limit::Clock(control) = self.limit {
            self.left = self.left.saturating_sub(elapsed) + control.inc;
            self.count_move(control);
        }
        Ok(())
    }

    fn count_move(&mut self, control: TimeControl) {
        let Some(moves_to_go) = &mut self.moves_to_go else {
            return;
        };
        *moves_to_go -= 1;
        if *moves_to_go == 0 {
            self.left += control.time;
            self.moves_to_go = control.moves;
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
        matches!(self.limit, Limit::Clock(_)).then_some(self.left)
    }

    fn inc(&self) -> Option<Duration> {
        match self.limit {
            Limit::Clock(control) => Some(control.inc),
            _ => None,
        }
    }
}

/// The limits after `go` for the player to move: exactly one kind. With a clock, both players' clocks are sent.
pub fn limits(side: Side, clocks: &[Clock; 2]) -> Go {
    let mut go = Go::default();
    let own = &clocks[side.index()];
    match own.limit {
        Limit::Clock(_) => {
            [go.p1_time, go.p2_time] = Side::BOTH.map(|side| clocks[side.index()].shown());
            [go.p1_inc, go.p2_inc] = Side::BOTH.map(|side| clocks[side.index()].inc());
            go.moves_to_go = own.moves_to_go;
        }
        Limit::MoveTime(time) => go.move_time = Some(time),
        Limit::Depth(depth) => go.depth = Some(depth),
        Limit::Nodes(nodes) => go.nodes = Some(nodes),
        Limit::Unlimited => {}
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
    fn limits_read_back() {
        for text in [
            "tc=10",
            "tc=10.5+0.1",
            "tc=40/60",
            "tc=40/60+0.6",
            "st=0.1",
            "depth=3",
            "nodes=2000",
            "-",
        ] {
            assert_eq!(limit(text).to_string(), text);
        }
    }

    #[test]
    fn times_may_have_minutes() {
        for (text, same) in [
            ("tc=1:30", "tc=90"),
            ("tc=40/2:00.5+1", "tc=40/120.5+1"),
            ("tc=0:05", "tc=5"),
        ] {
            assert_eq!(limit(text), limit(same), "{text}");
        }
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        for text in [
            "tc=",
            "tc=0",
            "tc=-1",
            "tc=0/5",
            "tc=1+",
            "tc=1e99",
            "tc=nan",
            "tc=inf",
            "tc=1:60",
            "tc=1:",
            "tc=:30",
            "tc=1:30:00",
            "tc=99999999:00",
            "st=1:30",
            "st=0",
            "st=-1",
            "st=x",
            "depth=0",
            "depth=1.5",
            "nodes=-1",
            "nodes=99999999999999999999",
            "time=3",
            "10",
        ] {
            let error = text.parse::<Limit>().expect_err(text).to_string();
            assert!(
                error.contains(text) && error.contains("expected"),
                "{error}"
            );
        }
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
    fn each_player_is_told_one_kind_of_limit() {
        let clocks = [
            Clock::new(limit("tc=2/10+1"), Duration::ZERO),
            Clock::new(limit("nodes=7"), Duration::ZERO),
        ];
        let p1 = Go {
            p1_time: Some(ms(10_000)),
            p1_inc: Some(ms(1000)),
            moves_to_go: Some(2),
            ..Go::default()
        };
        assert_eq!(limits(Side::P1, &clocks), p1);
        let p2 = Go {
            nodes: Some(7),
            ..Go::default()
        };
        assert_eq!(limits(Side::P2, &clocks), p2);
    }
}
