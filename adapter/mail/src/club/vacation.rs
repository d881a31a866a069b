//! Vacations, during which a user's clocks are stopped.

use record::date::moment;

use super::limits::DAY;
use super::user::User;
use super::work::Work;
use crate::email::wrap;
use crate::error::{Answer, refuse};
use crate::script::Words;

/// Maximum length of a vacation, in days.
const MAX_DAYS: i64 = 60;

/// Minimum time between two vacations, in seconds.
const BETWEEN: i64 = 30 * DAY;

impl Work<'_> {
    /// `vacation DAYS TOKEN` or `vacation off TOKEN`
    pub(super) fn vacation(&mut self, mut words: Words<'_>) -> Answer<String> {
        let user = self.account(&mut words)?;
        let text = words.next().unwrap_or_default();
        words.end("vacation DAYS TOKEN")?;
        let days = match text.eq_ignore_ascii_case("off") {
            true => Some(0),
            false => text.parse().ok(),
        };
        let Some(days) = days.filter(|days| (0..=MAX_DAYS).contains(days)) else {
            return refuse!(
                "{}: expected vacation DAYS, up to {MAX_DAYS}, or vacation off",
                crate::script::word(text)
            );
        };
        if days > 0 && self.now < user.vacation + BETWEEN {
            return refuse!(
                "your last vacation ends on {}: expected a wait of {} days after it",
                moment(user.vacation),
                BETWEEN / DAY
            );
        }
        let until = match days {
            0 => user.vacation.min(self.now),
            days => self.now + days * DAY,
        };
        // The rest of a current vacation is replaced.
        self.shift_turns(&user, until.max(self.now) - user.vacation.max(self.now))?;
        let update = "UPDATE users SET vacation = ?2 WHERE id = ?1";
        self.db.execute(update, [user.id, until])?;
        Ok(match days {
            0 => "Your vacation is over: the time for your moves runs again.".to_owned(),
            _ => {
                let until = moment(until);
                wrap(&format!(
                    "You are on vacation until {until}: no time runs for your moves."
                ))
            }
        })
    }

    /// Moves the deadlines of the user's current turns by a time in seconds.
    fn shift_turns(&self, user: &User, change: i64) -> Answer<()> {
        if change == 0 {
            return Ok(());
        }
        for board in self.boards_where("state = 'playing' AND (p1 = ?1 OR p2 = ?1)", [user.id])? {
            if board.players[board.to_move.index()] == user.id {
                let update = "UPDATE boards SET since = since + ?2, reminded = 0 WHERE id = ?1";
                self.db.execute(update, [board.id, change])?;
            }
        }
        Ok(())
    }
}
