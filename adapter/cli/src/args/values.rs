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

/// The name of a key file without its extension.
pub(super) fn key_name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_name = (1..=40).contains(&text.len()) && text.chars().all(is_plain);
    match is_name && text != COORDINATOR {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "expected 1 to 40 letters, digits, - and _, and not {COORDINATOR}"
        )),
    }
}

/// Name of the coordinators' key.
pub(crate) const COORDINATOR: &str = "coordinator";

/// A share from 0 to 1.
pub(super) fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).parse().ok();
    let number = number.filter(|number: &f64| *number > 0.0 && *number <= 100.0);
    let share = number.map(|number| number / 100.0);
    share.ok_or_else(|| "expected a percentage above 0, as in 5%".to_owned())
}

/// A share of the workers, or of a core.
pub(super) fn share(text: &str) -> Result<f64, String> {
    within(text, 0.01..=100.0, "a number")
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
