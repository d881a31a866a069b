//! The date and time of day, in UTC.

use jiff::Timestamp;

/// Today's date in PGN's format: `2026.11.21`.
pub fn today() -> String {
    Timestamp::now().strftime("%Y.%m.%d").to_string()
}

/// The current time as part of a file name: `20261121-093000`.
pub fn stamp() -> String {
    Timestamp::now().strftime("%Y%m%d-%H%M%S").to_string()
}

/// Formats a Unix time in seconds for people: `2026-11-21 09:30 UTC`.
pub fn moment(seconds: i64) -> String {
    let moment = Timestamp::from_second(seconds).unwrap_or_default();
    moment.strftime("%Y-%m-%d %H:%M UTC").to_string()
}
