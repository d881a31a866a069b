//! Parsers of single values. An error states the expected form.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use clap_complete::Shell;
use kit::search::MAX_PLY;
use record::plan::{MAX_COUNT, MAX_WAIT_MS};

/// A number of `what` in a range.
fn within<T: FromStr + PartialOrd + Display>(
    text: &str,
    range: RangeInclusive<T>,
    what: &str,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected {what} from {} to {}", range.start(), range.end()))
}

pub(super) fn count(text: &str) -> Result<usize, String> {
    within(text, 1..=MAX_COUNT, "a whole number")
}

pub(super) fn mebibytes(text: &str) -> Result<u32, String> {
    within(text, 1..=u32::MAX, "a whole number")
}

pub(super) fn password(text: &str) -> Result<String, String> {
    let is_word = text.chars().all(|c| c.is_ascii_graphic());
    if is_word && (1..=64).contains(&text.len()) {
        return Ok(text.to_owned());
    }
    Err("expected 1 to 64 visible ASCII characters without blanks".to_owned())
}

pub(super) fn small(text: &str) -> Result<u32, String> {
    within(text, 1..=99, "a whole number")
}

pub(super) fn plies(text: &str) -> Result<u32, String> {
    within(text, 1..=MAX_PLY as u32, "a whole number")
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    within(text, 0.001..=1e7, "seconds").map(Duration::from_secs_f64)
}

pub(super) fn seconds_or_none(text: &str) -> Result<Duration, String> {
    match text {
        "0" => Ok(Duration::ZERO),
        text => seconds(text).map_err(|why| format!("{why}, or 0")),
    }
}

pub(super) fn seed(text: &str) -> Result<u64, String> {
    within(text, 0..=u64::MAX, "a whole number")
}

pub(super) fn milliseconds(text: &str) -> Result<u64, String> {
    within(text, 1..=MAX_WAIT_MS, "milliseconds")
}

pub(super) fn whole_seconds(text: &str) -> Result<u64, String> {
    within(text, 1..=86_400, "seconds")
}

pub(super) fn nps(text: &str) -> Result<f64, String> {
    within(text, 1.0..=1e12, "").map_err(|_| "expected nodes a second, above 0".to_owned())
}

/// Parses the name of a shell that has completions.
pub(super) fn shell(text: &str) -> Result<Shell, String> {
    text.parse()
        .map_err(|_| "expected bash, elvish, fish, powershell or zsh".to_owned())
}
