//! Dates and times as people read them, in UTC.

use time::OffsetDateTime;

/// The current time as part of a file name: `20261121-093000`.
pub(crate) fn stamp() -> String {
    let now = OffsetDateTime::now_utc();
    let (hour, minute, second) = now.to_hms();
    format!("{}-{hour:02}{minute:02}{second:02}", date(now, ""))
}

/// Formats a Unix time in seconds for people: `2026-11-21 09:30 UTC`. Times outside the years 0 to 9999 are those of 1970.
pub fn moment(seconds: i64) -> String {
    let time = OffsetDateTime::from_unix_timestamp(seconds).ok();
    let time = time.filter(|time| time.year() >= 0);
    let time = time.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (hour, minute, _) = time.to_hms();
    format!("{} {hour:02}:{minute:02} UTC", date(time, "-"))
}

fn date(time: OffsetDateTime, separator: &str) -> String {
    let (year, month, day) = time.to_calendar_date();
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
        assert_eq!(moment(-62_167_219_200), "0000-01-01 00:00 UTC");
        assert_eq!(moment(253_402_300_799), "9999-12-31 23:59 UTC");
        assert_eq!(moment(253_402_300_800), "1970-01-01 00:00 UTC");
    }
}
