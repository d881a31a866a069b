//! Parsers of single values, for clap. An error states the expected form.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use kit::search::MAX_PLY;
use record::plan::{MAX_COUNT, MAX_WAIT_MS};

/// A number of `what` in a range.
fn within<T: FromStr + PartialOrd + Display>(
    text: &str,
    range: RangeInclusive<T>,
    what: &str,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("give {what} from {} to {}", range.start(), range.end()))
}

/// A number of things, at least 1.
pub fn count(text: &str) -> Result<usize, String> {
    within(text, 1..=MAX_COUNT, "a whole number")
}

/// A number of mebibytes, at least 1.
pub fn mebibytes(text: &str) -> Result<u32, String> {
    within(text, 1..=u32::MAX, "a whole number")
}

/// A number from 1 to 99.
pub fn small(text: &str) -> Result<u32, String> {
    within(text, 1..=99, "a whole number")
}

/// A number of plies that a search may look ahead.
pub fn plies(text: &str) -> Result<u32, String> {
    within(text, 1..=MAX_PLY as u32, "a whole number")
}

/// Seconds, with decimals.
pub fn seconds(text: &str) -> Result<Duration, String> {
    within(text, 0.001..=1e7, "seconds").map(Duration::from_secs_f64)
}

/// Seconds, or 0 for none.
pub fn seconds_or_none(text: &str) -> Result<Duration, String> {
    match text {
        "0" => Ok(Duration::ZERO),
        text => seconds(text).map_err(|why| format!("{why}, or 0")),
    }
}

/// The seed of random numbers.
pub fn seed(text: &str) -> Result<u64, String> {
    within(text, 0..=u64::MAX, "a whole number")
}

/// A number of milliseconds, at least 1.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    within(text, 1..=MAX_WAIT_MS, "milliseconds")
}

/// Whole seconds up to a day.
pub fn whole_seconds(text: &str) -> Result<u64, String> {
    within(text, 1..=86_400, "seconds")
}

/// Nodes a second.
pub fn nps(text: &str) -> Result<f64, String> {
    within(text, 1.0..=1e12, "").map_err(|_| "give nodes a second, above 0".to_owned())
}
