//! The date and time of day, in UTC.

use time::UtcDateTime;

/// Today's date in PGN's format: `2026.11.21`.
pub fn today() -> String {
    date(UtcDateTime::now(), ".")
}

/// The current time as part of a file name: `20261121-093000`.
pub fn stamp() -> String {
    let now = UtcDateTime::now();
    let (hour, minute, second) = now.as_hms();
    format!("{}-{hour:02}{minute:02}{second:02}", date(now, ""))
}

/// Formats a Unix time in seconds for people: `2026-11-21 09:30 UTC`.
pub fn moment(seconds: i64) -> String {
    let moment = UtcDateTime::from_unix_timestamp(seconds).unwrap_or(UtcDateTime::UNIX_EPOCH);
    let (hour, minute, _) = moment.as_hms();
    format!("{} {hour:02}:{minute:02} UTC", date(moment, "-"))
}

fn date(moment: UtcDateTime, separator: &str) -> String {
    let (year, month, day) = moment.to_calendar_date();
    let month = u8::from(month);
    format!("{year:04}{separator}{month:02}{separator}{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_date_and_a_time() {
        assert_eq!(moment(951_782_399), "2000-02-28 23:59 UTC");
        assert_eq!(moment(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(moment(i64::MAX), "1970-01-01 00:00 UTC");
    }
}
