//! Parsers of single values. An error states the expected form.

use std::time::Duration;

use clap_complete::Shell;
use kit::search::MAX_PLY;
use protocol::text::is_unsafe;
use record::plan::{MAX_COUNT, MAX_WAIT_MS};

pub(super) fn count(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1..=MAX_COUNT).contains(number));
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_COUNT}"))
}

/// The number of tables at one address; each has a thread and may have engines.
pub(super) fn tables(text: &str) -> Result<usize, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (1..=100).contains(number));
    number.ok_or_else(|| "expected a whole number from 1 to 100".to_owned())
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
    let number = text.parse().ok();
    let number = number.filter(|number| (0.01..=100.0).contains(number));
    number.ok_or_else(|| "expected a number from 0.01 to 100".to_owned())
}

pub(super) fn small(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (1..=99).contains(number));
    number.ok_or_else(|| "expected a whole number from 1 to 99".to_owned())
}

pub(super) fn plies(text: &str) -> Result<u32, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1..=MAX_PLY as u32).contains(number));
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_PLY}"))
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let seconds = seconds.filter(|seconds| (0.001..=1e7).contains(seconds));
    let seconds = seconds.map(Duration::from_secs_f64);
    seconds.ok_or_else(|| "expected seconds from 0.001 to 10000000".to_owned())
}

pub(super) fn seconds_or_none(text: &str) -> Result<Duration, String> {
    match text {
        "0" => Ok(Duration::ZERO),
        text => seconds(text).map_err(|why| format!("{why}, or 0")),
    }
}

pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

pub(super) fn tag(text: &str) -> Result<String, String> {
    let is_held = !text.contains(is_unsafe) && (1..=255).contains(&text.chars().count());
    let refused = || "expected 1 to 255 characters on one line".to_owned();
    is_held.then(|| text.to_owned()).ok_or_else(refused)
}

pub(super) fn milliseconds(text: &str) -> Result<u64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1..=MAX_WAIT_MS).contains(number));
    number.ok_or_else(|| format!("expected milliseconds from 1 to {MAX_WAIT_MS}"))
}

pub(super) fn whole_seconds(text: &str) -> Result<u64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1..=86_400).contains(number));
    number.ok_or_else(|| "expected seconds from 1 to 86400".to_owned())
}

pub(super) fn nps(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1.0..=1e12).contains(number));
    number.ok_or_else(|| "expected nodes a second, above 0".to_owned())
}

/// Parses the name of a shell that has completions.
pub(super) fn shell(text: &str) -> Result<Shell, String> {
    text.parse()
        .map_err(|_| "expected bash, elvish, fish, powershell or zsh".to_owned())
}
