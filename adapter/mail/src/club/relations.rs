//! Users who are blocked, and users whose challenges are accepted in advance.

use rusqlite::{OptionalExtension, params};

use super::limits::{DAY, MAX_BETWEEN_USERS};
use super::user::User;
use super::work::Work;
use crate::error::{Answer, refuse};
use crate::script::{Line, Words};

/// A user's attitude to another user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// Challenges, messages and notes are refused.
    Blocked,
    /// Challenges begin at once.
    Welcome,
}

impl Work<'_> {
    /// `block USER TOKEN`, `welcome USER TOKEN`, `unblock USER TOKEN`, `unwelcome USER TOKEN`
    pub(super) fn relate(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let user = self.account(&mut words)?;
        let other = self.known_user(words.next().unwrap_or_default())?;
        words.end(&format!("{} USER TOKEN", line.word))?;
        if other.id == user.id || other.is_engine() {
            return refuse!("{}: expected another user", other.name);
        }
        let (name, pair) = (&other.name, [user.id, other.id]);
        let is_blocked = line.word == "block";
        if is_blocked || line.word == "welcome" {
            let insert = "INSERT OR REPLACE INTO relations VALUES (?1, ?2, ?3)";
            self.db
                .execute(insert, params![user.id, other.id, is_blocked])?;
            return Ok(match is_blocked {
                true => format!("{name} can no longer challenge you or write to you."),
                false => format!("Challenges from {name} begin at once."),
            });
        }
        let is_unblocked = line.word == "unblock";
        let row =
            format!("relations WHERE user = ?1 AND other = ?2 AND is_blocked = {is_unblocked}");
        Ok(match (self.delete(&row, pair)?, is_unblocked) {
            (0, true) => format!("You did not block {name}."),
            (0, false) => format!("Challenges from {name} did not begin at once."),
            (_, true) => format!("{name} can challenge you and write to you again."),
            (_, false) => format!("You are asked about challenges from {name} again."),
        })
    }

    /// Returns the attitude of a user to another one.
    pub(super) fn relation(&self, user: &User, other: &User) -> Answer<Option<Relation>> {
        let query = "SELECT is_blocked FROM relations WHERE user = ?1 AND other = ?2";
        let row = self
            .db
            .query_row(query, [user.id, other.id], |row| row.get(0));
        Ok(row.optional()?.map(|is_blocked: bool| match is_blocked {
            true => Relation::Blocked,
            false => Relation::Welcome,
        }))
    }

    /// Refuses a challenge, message or note to a user who has blocked its sender, or who gets too many.
    pub(super) fn refuse_unwanted(&self, from: &User, to: &User) -> Answer<()> {
        if self.relation(to, from)? == Some(Relation::Blocked) {
            return refuse!(
                "{} takes no challenges and messages from {}",
                to.name,
                from.name
            );
        }
        self.refuse_flood(from, to)
    }

    /// Refuses a command that mails a user who has got many e-mails caused by the same sender.
    pub(super) fn refuse_flood(&self, from: &User, to: &User) -> Answer<()> {
        let sent = "outbox WHERE cause = ?1 AND user = ?2 AND at > ?3";
        let n_sent = self.count(sent, [from.id, to.id, self.now - DAY])?;
        if n_sent >= MAX_BETWEEN_USERS {
            return refuse!(
                "{n_sent} e-mails of yours went to {} within a day: wait",
                to.name
            );
        }
        Ok(())
    }
}
