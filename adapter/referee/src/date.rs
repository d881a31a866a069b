//! The date of a game, in UTC.

use time::OffsetDateTime;

/// Today's date in PGN's format: `2026.11.21`.
pub fn today() -> String {
    let (year, month, day) = OffsetDateTime::now_utc().to_calendar_date();
    format!("{year:04}.{:02}.{day:02}", u8::from(month))
}
