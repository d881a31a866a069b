//! The date and time of day, in UTC.

use jiff::Timestamp;

/// Today as PGN writes it: `2026.11.21`.
pub fn today() -> String {
    Timestamp::now().strftime("%Y.%m.%d").to_string()
}

/// Now, for the name of a file: `20261121-093000`.
pub fn stamp() -> String {
    Timestamp::now().strftime("%Y%m%d-%H%M%S").to_string()
}

/// A moment as people read it, `2026-11-21 09:30 UTC`. `seconds` count from 1970.
pub fn moment(seconds: i64) -> String {
    let moment = Timestamp::from_second(seconds).unwrap_or_default();
    moment.strftime("%Y-%m-%d %H:%M UTC").to_string()
}
