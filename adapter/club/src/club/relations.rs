//! Users who are blocked, and users who get too many e-mails.

use super::limits::{DAY, MAX_BETWEEN_USERS};
use super::work::Work;
use crate::error::{Answer, refuse};
use crate::script::{Line, Words};
use crate::user::User;

/// The row of a user who refuses challenges, messages and notes from another one.
const BLOCK: &str = "blocks WHERE user = ?1 AND other = ?2";

impl Work<'_> {
    /// `block USER TOKEN`, `unblock USER TOKEN`
    pub(super) fn block(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let user = self.account(line, &mut words)?;
        let other = self.known_user(words.next().unwrap_or_default())?;
        words.end(&format!("{} USER TOKEN", line.word))?;
        if other.id == user.id || other.is_engine() {
            return refuse!("{other}: name another user");
        }
        let pair = [user.id, other.id];
        if line.word == "block" {
            let insert = "INSERT OR REPLACE INTO blocks VALUES (?1, ?2)";
            self.db.execute(insert, pair)?;
            return Ok(format!(
                "{other} can no longer challenge you or write to you."
            ));
        }
        Ok(match self.delete(BLOCK, pair)? {
            0 => format!("You did not block {other}."),
            _ => format!("{other} can challenge you and write to you again."),
        })
    }

    /// Refuses a challenge, message or note to a user who has blocked its sender, or who gets too many.
    pub(super) fn refuse_unwanted(&self, from: &User, to: &User) -> Answer<()> {
        if self.count(BLOCK, [to.id, from.id])? > 0 {
            return refuse!("{to} takes no challenges and messages from {from}");
        }
        self.refuse_flood(from, to)
    }

    /// Refuses a command that mails a user who has got many e-mails caused by the same sender.
    pub(super) fn refuse_flood(&self, from: &User, to: &User) -> Answer<()> {
        let sent = "outbox WHERE cause = ?1 AND user = ?2 AND at > ?3";
        let n_sent = self.count(sent, [from.id, to.id, self.now - DAY])?;
        if n_sent >= MAX_BETWEEN_USERS {
            return refuse!("{n_sent} e-mails of yours went to {to} within a day: wait");
        }
        Ok(())
    }
}
