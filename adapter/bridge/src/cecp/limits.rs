//! Converts the time, depth and node limits of a GUI to the limit of one search.

use std::str::FromStr;
use std::time::Duration;

use record::clock::{Limit, SearchLimit, TimeControl};

/// Minimum time for a search, since XBoard may report no time left.
const LEAST_TIME: Duration = Duration::from_millis(10);

/// Expected remaining moves on a clock without sessions, if time is measured in nodes.
const MOVES_AHEAD: u32 = 30;

/// Current limits.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct GuiLimits {
    /// `level`.
    level: Option<TimeControl>,
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

    /// Carries out a command about limits. `level` and `st` cancel each other, 0 cancels `sd` and `nps`.
    ///
    /// # Errors
    /// The reason why the text after the word is wrong.
    pub(super) fn set(&mut self, word: &str, text: &str) -> Result<(), &'static str> {
        match word {
            "level" => {
                self.level = Some(parse_level(text)?);
                self.move_time = None;
                self.left = None;
            }
            "st" => {
                self.move_time = Some(parse_seconds(text)?);
                self.level = None;
            }
            "sd" => self.depth = Some(number(text.trim_start_matches('='))?).filter(|n| *n > 0),
            "nps" => self.node_rate = Some(number(text)?).filter(|n| *n > 0),
            _ => {
                // An overstepped clock is negative.
                let centiseconds: i64 = number(text)?;
                let left = u64::try_from(centiseconds).unwrap_or(0);
                self.left = Some(Duration::from_millis(left.saturating_mul(10)));
            }
        }
        Ok(())
    }

    /// Returns the limit of the next search by a side that has made this number of moves; `None` without a limit.
    pub(super) fn limit(&self, n_own_moves: u32) -> Option<Limit> {
        let depth = self.depth.map(SearchLimit::Depth);
        let control = match (self.level, self.move_time) {
            (Some(level), _) => TimeControl {
                // The moves left in the session; `None` if it lasts for the whole game.
                moves: level.moves.map(|moves| moves - n_own_moves % moves),
                time: self.left.unwrap_or(level.time),
                ..level
            },
            (None, Some(time)) => TimeControl {
                moves: Some(1),
                time,
                ..TimeControl::default()
            },
            (None, None) => return depth.map(Limit::Search),
        };
        if let Some(rate) = self.node_rate {
            let time = control.time / control.moves.unwrap_or(MOVES_AHEAD) + control.inc;
            let nodes = (time.as_secs_f64() * rate as f64).round().max(1.0) as u64;
            return Some(Limit::Search(SearchLimit::Nodes(nodes)));
        }
        let time = control.time.max(LEAST_TIME);
        Some(match (self.level, depth) {
            (None, None) => Limit::MoveTime(time),
            _ => Limit::Clock(TimeControl { time, ..control }, depth),
        })
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| "expected a number")
}

fn parse_seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds: f64 = number(text)?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "expected seconds")
}

/// Parses `40 5 0` or `40 5:30 0.5`: moves, minutes with or without seconds, and the increment in seconds.
fn parse_level(text: &str) -> Result<TimeControl, &'static str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [moves, base, increment] = words[..] else {
        return Err("expected moves, minutes and seconds, as in level 40 5 0");
    };
    let (minutes, rest) = base.split_once(':').unwrap_or((base, "0"));
    let minutes = Duration::from_secs(number::<u64>(minutes)?.saturating_mul(60));
    Ok(TimeControl {
        // No moves in a session mean the whole game.
        moves: Some(number(moves)?).filter(|moves| *moves > 0),
        time: minutes.saturating_add(parse_seconds(rest)?),
        inc: parse_seconds(increment)?,
        is_hourglass: false,
    })
}

/// Formats seconds, as an integer if possible, because some programs accept nothing else.
pub(super) fn seconds(time: Duration) -> String {
    time.as_secs_f64().to_string()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The limit after these lines, of a side that has made `n_own_moves`.
    fn limit(lines: &str, n_own_moves: u32) -> String {
        let mut limits = GuiLimits::default();
        for line in lines.split(", ") {
            let (word, text) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "new" => limits.begin_game(),
                _ => limits.set(word, text).expect(line),
            }
        }
        let limit = limits.limit(n_own_moves);
        limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string())
    }

    #[test]
    fn limits_are_those_of_the_last_lines() {
        for (lines, n_own_moves, expected) in [
            ("new", 0, "none"),
            // Clocks count from what the GUI tells.
            ("level 40 5 0", 0, "tc=40/300"),
            ("level 0 2 12", 0, "tc=120+12"),
            ("level 40 0:30 0", 0, "tc=40/30"),
            ("level 0 1:05 0.5", 0, "tc=65+0.5"),
            ("level 40 5 0, time 700", 38, "tc=2/7"),
            ("level 40 5 0, time 700", 40, "tc=40/7"),
            ("level 40 5 0, time 700, sd 3", 0, "tc=40/7 depth=3"),
            ("level 40 5 0, time 700, sd 3, new", 0, "tc=40/300"),
            ("level 40 5 0, level 0 1 1", 9, "tc=60+1"),
            ("level 0 1 1, time -7", 9, "tc=0.01+1"),
            // A time for each move takes the place of a clock.
            ("level 40 5 0, st 2", 5, "st=2"),
            ("st 0.25", 5, "st=0.25"),
            ("st 2, sd 4", 5, "tc=1/2 depth=4"),
            ("st 2, sd 4, sd 0", 5, "st=2"),
            ("st 2, sd =4, level 0 1 0", 5, "tc=60 depth=4"),
            // Nodes may count as time.
            ("nps 1", 0, "none"),
            ("nps 1, st 2000", 0, "nodes=2000"),
            ("st 2000, level 0 1 1, nps 100", 0, "nodes=300"),
            ("level 0 1 1, nps 100, nps 0", 0, "tc=60+1"),
        ] {
            assert_eq!(limit(lines, n_own_moves), expected, "{lines}");
        }
    }

    #[test]
    fn bad_numbers_are_errors() {
        for (word, text, error) in [
            ("sd", "deep", "expected a number"),
            ("st", "-1", "expected seconds"),
            ("st", "1e300", "expected seconds"),
            (
                "level",
                "40",
                "expected moves, minutes and seconds, as in level 40 5 0",
            ),
        ] {
            assert_eq!(GuiLimits::default().set(word, text), Err(error));
        }
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
