//! The date and time of day, in UTC.

use std::ops::Range;
use std::time::{SystemTime, UNIX_EPOCH};

/// Today's date in PGN's format: `2026.11.21`.
pub fn today() -> String {
    Moment::new(now()).date(".")
}

/// The current time as part of a file name: `20261121-093000`.
pub fn stamp() -> String {
    let now = Moment::new(now());
    let [hour, minute, second] = now.time;
    format!("{}-{hour:02}{minute:02}{second:02}", now.date(""))
}

/// Formats a Unix time in seconds for people: `2026-11-21 09:30 UTC`.
pub fn moment(seconds: i64) -> String {
    let moment = Moment::new(seconds);
    let [hour, minute, _] = moment.time;
    format!("{} {hour:02}:{minute:02} UTC", moment.date("-"))
}

/// The current Unix time in seconds; 0 before 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}

/// Seconds of a day, and of the years 0 to 9999 as Unix times.
const DAY: i64 = 86_400;
const KNOWN: Range<i64> = -719_528 * DAY..2_932_897 * DAY;

struct Moment {
    year: i64,
    month: i64,
    day: i64,
    /// Hour, minute, second.
    time: [i64; 3],
}

impl Moment {
    /// The moment of a Unix time in seconds. Times outside the years 0 to 9999 are 0.
    fn new(seconds: i64) -> Moment {
        let seconds = if KNOWN.contains(&seconds) { seconds } else { 0 };
        let rest = seconds.rem_euclid(DAY);
        // Years begin in March here, so that a leap day is the last of its year.
        let days = seconds.div_euclid(DAY) + 719_468;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        Moment {
            year: 400 * era + year + i64::from(month >= 10),
            month: (month + 2) % 12 + 1,
            day: day - (153 * month + 2) / 5 + 1,
            time: [rest / 3_600, rest / 60 % 60, rest % 60],
        }
    }

    fn date(&self, separator: &str) -> String {
        let Moment {
            year, month, day, ..
        } = self;
        format!("{year:04}{separator}{month:02}{separator}{day:02}")
    }
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

    #[test]
    fn days_follow_each_other() {
        let (mut year, mut month, mut day) = (1600, 1, 1);
        for number in -135_140..100_000 {
            let moment = Moment::new(number * DAY + DAY - 1);
            assert_eq!((moment.year, moment.month, moment.day), (year, month, day));
            assert_eq!(moment.time, [23, 59, 59]);
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let n_days = match month {
                2 => 28 + i64::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > n_days {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
    }
}
