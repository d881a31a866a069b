//! Time and search limits: their syntax on the command line and in plans.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::serde_as_text;

/// Limit of a player's searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Limit {
    /// `tc=` or `hourglass=`: a clock, optionally with a search limit.
    Clock(TimeControl, Option<SearchLimit>),
    /// `st=`: a fixed time per move.
    MoveTime(Duration),
    /// `depth=` or `nodes=` without a clock.
    Search(SearchLimit),
    /// No limit: a person without a clock. Engines always have one.
    #[default]
    Unlimited,
}

/// Search limit that does not depend on time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchLimit {
    /// `depth=`: maximum depth in plies.
    Depth(u32),
    /// `nodes=`: maximum number of positions.
    Nodes(u64),
}

/// Settings of a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeControl {
    /// Number of moves after which `time` is added again; `None` for the whole game.
    pub moves: Option<u32>,
    /// Time at the beginning, and again after `moves` moves.
    pub time: Duration,
    /// Increment per move.
    pub inc: Duration,
    /// `hourglass=TIME`: the opponent's thinking time is added, and nothing else.
    pub is_hourglass: bool,
}

/// One year. Longer times are probably mistakes, and sums of them could overflow.
const MAX_SECONDS: f64 = 31_536_000.0;

/// Text of [`Limit::Unlimited`], as in PGN.
const UNLIMITED: &str = "-";

impl Limit {
    /// Parses the value of `tc`, `hourglass`, `st`, `depth` or `nodes`; `None` for other keys. [`Limit::Unlimited`] for
    /// `tc=inf`.
    pub fn parse_word(key: &str, value: &str) -> Option<Result<Limit, String>> {
        let expected = match key {
            "tc" => {
                "[MOVES/]TIME[+INC] in seconds or MIN:SEC, as in 10+0.1, 40/60 or 1:30+1, or inf"
            }
            "hourglass" => "a time in seconds or MIN:SEC, as in 60",
            "st" => "seconds above 0, as in 0.5",
            "depth" | "nodes" => "a whole number above 0",
            _ => return None,
        };
        let clock = |control| Limit::Clock(control, None);
        let limit = match key {
            "tc" if value == "inf" => Some(Limit::Unlimited),
            "tc" => TimeControl::parse(value).map(clock),
            "hourglass" => TimeControl::parse_hourglass(value).map(clock),
            "st" => {
                let time = parse_seconds(value).filter(|time| !time.is_zero());
                time.map(Limit::MoveTime)
            }
            "depth" => parse_count(value).map(|depth| Limit::Search(SearchLimit::Depth(depth))),
            _ => parse_count(value).map(|nodes| Limit::Search(SearchLimit::Nodes(nodes))),
        };
        let word = format!("{key}={value}");
        Some(limit.ok_or_else(|| format!("{word:?}: write {expected}")))
    }

    /// Combines two words: a clock, or none, and a search limit.
    ///
    /// # Errors
    /// They do not go together. The text says what was expected.
    pub fn and(self, other: Limit) -> Result<Limit, &'static str> {
        match (self, other) {
            (Limit::Search(_), Limit::Search(_)) => Err("depth= and nodes=: write one of them"),
            (limit, Limit::Search(search)) | (Limit::Search(search), limit) => match limit {
                Limit::Clock(control, None) => Ok(Limit::Clock(control, Some(search))),
                Limit::Unlimited => Ok(Limit::Search(search)),
                _ => Err("st=, depth= and nodes=: write one of them"),
            },
            _ => Err("two clocks: write one of them"),
        }
    }

    /// Multiplies all times by a factor.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Limit {
        let scale = |time: &mut Duration| {
            let seconds = (time.as_secs_f64() * factor).clamp(0.0, MAX_SECONDS);
            *time = Duration::from_secs_f64(seconds);
        };
        match &mut self {
            Limit::Clock(control, _) => {
                scale(&mut control.time);
                scale(&mut control.inc);
            }
            Limit::MoveTime(time) => scale(time),
            Limit::Search(_) | Limit::Unlimited => {}
        }
        self
    }

    /// Overrun in milliseconds that is tolerated if the user sets no margin. A program that takes a time per move at its
    /// word answers a little later; with a clock, it knows how much to save.
    pub fn default_margin_ms(&self) -> u64 {
        match self {
            Limit::MoveTime(_) => 50,
            _ => 0,
        }
    }

    /// `true` for a clock or a time per move.
    pub fn is_time(&self) -> bool {
        matches!(self, Limit::Clock(..) | Limit::MoveTime(_))
    }

    /// Value of the PGN tag `TimeControl`. Limits without a PGN form keep their own text.
    pub fn pgn_tag(&self) -> String {
        let text = self.to_string();
        match self {
            Limit::Clock(..) => text.replacen("hourglass=", "*", 1).replacen("tc=", "", 1),
            _ => text,
        }
    }
}

impl TimeControl {
    /// Parses `[MOVES/]TIME[+INC]`, or `hgTIME`, an hourglass in cutechess-cli.
    fn parse(text: &str) -> Option<TimeControl> {
        if let Some(time) = text.strip_prefix("hg") {
            return TimeControl::parse_hourglass(time);
        }
        let (moves, rest) = text
            .split_once('/')
            .map_or((None, text), |(moves, rest)| (Some(moves), rest));
        let (time, inc) = rest.split_once('+').unwrap_or((rest, "0"));
        let control = TimeControl {
            moves: match moves {
                Some(moves) => Some(parse_count(moves)?),
                None => None,
            },
            time: parse_time(time)?,
            inc: parse_seconds(inc)?,
            is_hourglass: false,
        };
        Some(control).filter(|control| !control.time.is_zero())
    }

    fn parse_hourglass(text: &str) -> Option<TimeControl> {
        let time = parse_time(text).filter(|time| !time.is_zero())?;
        Some(TimeControl {
            time,
            is_hourglass: true,
            ..TimeControl::default()
        })
    }
}

/// Parses `SECONDS` or `MINUTES:SECONDS`.
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
    let seconds = text
        .parse()
        .ok()
        .filter(|seconds| (0.0..=MAX_SECONDS).contains(seconds));
    Duration::try_from_secs_f64(seconds?).ok()
}

fn parse_count<T: FromStr + Default + PartialEq>(text: &str) -> Option<T> {
    text.parse().ok().filter(|count| *count != T::default())
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Clock(control, None) => control.fmt(f),
            Limit::Clock(control, Some(search)) => {
                write!(f, "{control} {}", Limit::Search(*search))
            }
            Limit::MoveTime(time) => write!(f, "st={}", time.as_secs_f64()),
            Limit::Search(SearchLimit::Depth(depth)) => write!(f, "depth={depth}"),
            Limit::Search(SearchLimit::Nodes(nodes)) => write!(f, "nodes={nodes}"),
            Limit::Unlimited => f.write_str(UNLIMITED),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = if self.is_hourglass { "hourglass" } else { "tc" };
        write!(f, "{key}=")?;
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
    type Err = String;

    fn from_str(text: &str) -> Result<Limit, String> {
        if text == UNLIMITED {
            return Ok(Limit::Unlimited);
        }
        let error = || {
            format!(
                "{text:?}: write tc=, hourglass=, st=, depth= or nodes=, or a clock, optionally with depth= or nodes="
            )
        };
        let word = |word: &str| {
            let (key, value) = word.split_once('=').ok_or_else(error)?;
            Limit::parse_word(key, value).ok_or_else(error)?
        };
        let limit = match text.split(' ').collect::<Vec<_>>()[..] {
            [one] => word(one)?,
            [one, other] => word(one)?.and(word(other)?).map_err(|_| error())?,
            _ => return Err(error()),
        };
        // `tc=inf` alone does not limit a search.
        let is_limit = limit != Limit::Unlimited;
        is_limit.then_some(limit).ok_or_else(error)
    }
}

serde_as_text!(Limit);

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> Limit {
        text.parse().expect("a limit")
    }

    #[test]
    fn times_are_scaled_and_counts_are_not() {
        for (text, scaled) in [
            ("tc=40/60+0.5 depth=5", "tc=40/90+0.75 depth=5"),
            ("hourglass=10", "hourglass=15"),
            ("st=0.1", "st=0.15"),
            ("nodes=1000", "nodes=1000"),
        ] {
            assert_eq!(limit(text).scaled(1.5).to_string(), scaled);
            assert_eq!(limit(text).scaled(1.0), limit(text));
        }
    }

    #[test]
    fn limits_read_back() {
        let texts = "tc=10|tc=10.5+0.1|tc=40/60|tc=40/60+0.6|tc=10+0.1 nodes=500|hourglass=60|hourglass=0.5 depth=7|st=0.1|\
                     depth=3|nodes=2000|-";
        for text in texts.split('|') {
            assert_eq!(limit(text).to_string(), text);
        }
    }

    #[test]
    fn times_may_have_minutes() {
        for (text, same) in [
            ("tc=1:30", "tc=90"),
            ("tc=40/2:00.5+1", "tc=40/120.5+1"),
            ("tc=0:05", "tc=5"),
            ("hourglass=1:00", "hourglass=60"),
        ] {
            assert_eq!(limit(text), limit(same), "{text}");
        }
    }

    #[test]
    fn words_of_other_runners_mean_the_same() {
        for (text, same) in [
            ("tc=hg60", "hourglass=60"),
            ("tc=inf nodes=5", "nodes=5"),
            ("depth=3 tc=inf", "depth=3"),
            ("nodes=5 tc=1+1", "tc=1+1 nodes=5"),
        ] {
            assert_eq!(limit(text), limit(same), "{text}");
        }
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        let by_key = [
            (
                "tc=",
                " 0 -1 0/5 1+ 1e99 nan inf inf+1 1:60 1: :30 1:30:00 99999999:00 hg hg0",
            ),
            ("hourglass=", "0 inf 60+1 40/60"),
            ("st=", "1:30 0 -1 x"),
            ("depth=", "0 1.5"),
            ("nodes=", "-1 99999999999999999999"),
        ];
        let with_key = |(key, values): (&str, &str)| -> Vec<String> {
            let values = values.split(' ');
            values.map(|value| format!("{key}{value}")).collect()
        };
        let bad = by_key.into_iter().flat_map(with_key);
        let others =
            "time=3|10|tc=1 tc=2|depth=1 nodes=2|st=1 nodes=5|tc=1 depth=1 nodes=5|tc=1  depth=1|";
        for text in bad.chain(others.split('|').map(str::to_owned)) {
            let error = text.parse::<Limit>().expect_err(&text);
            assert!(error.contains(&text) && error.contains("write"), "{error}");
        }
    }
}
