//! Vacations, during which a user's clocks are stopped.

use super::limits::DAY;
use super::user::User;
use super::work::Work;
use crate::error::{Answer, refuse};
use crate::letter::wrap;
use crate::script::{Line, Words};

/// Maximum length of a vacation, in days.
const MAX_DAYS: i64 = 60;

/// Minimum time between two vacations, in seconds.
const BETWEEN: i64 = 30 * DAY;

impl Work<'_> {
    /// `vacation DAYS TOKEN` or `vacation off TOKEN`
    pub(super) fn vacation(&mut self, line: &Line) -> Answer<String> {
        let mut words = Words::new(&line.rest);
        let user = self.account(&mut words)?;
        let text = words.next().unwrap_or_default();
        let days = if text.eq_ignore_ascii_case("off") {
            Some(0)
        } else {
            text.parse()
                .ok()
                .filter(|days| (0..=MAX_DAYS).contains(days))
        };
        let Some(days) = days else {
            return refuse!(
                "{}: expected vacation DAYS, up to {MAX_DAYS}, or vacation off",
                crate::script::word(text)
            );
        };
        if days > 0 && self.now < user.vacation + BETWEEN {
            return refuse!(
                "your last vacation ends on {}: expected a wait of {} days after it",
                record::date::moment(user.vacation),
                BETWEEN / DAY
            );
        }
        let until = match days {
            0 => {
                self.come_back(&user)?;
                user.vacation.min(self.now)
            }
            days => self.now + days * DAY,
        };
        self.db.execute(
            "UPDATE users SET vacation = ?2 WHERE id = ?1",
            [user.id, until],
        )?;
        Ok(match days {
            0 => "Your vacation is over: the time for your moves runs again.".to_owned(),
            _ => wrap(&format!(
                "You are on vacation until {}: no time runs for your moves.",
                record::date::moment(until)
            )),
        })
    }

    /// Ends a vacation early: the time for the user's current turns starts again now.
    fn come_back(&self, user: &User) -> Answer<()> {
        if user.vacation <= self.now {
            return Ok(());
        }
        for board in self.boards_where("state = 'playing' AND (p1 = ?1 OR p2 = ?1)", [user.id])? {
            if board.players[board.to_move.index()] == user.id {
                self.db.execute(
                    "UPDATE boards SET since = ?2 WHERE id = ?1",
                    [board.id, self.now],
                )?;
            }
        }
        Ok(())
    }
}
