//! E-mails of a transaction, in the threads of their recipients.

use rusqlite::{OptionalExtension, params};

use super::boards::Board;
use super::work::Work;
use crate::email::{compose, wrap_lines};
use crate::error::Answer;
use crate::outbox::Draft;
use crate::store::{self, DAY, HOUR};
use crate::user::{User, new_token};

/// Maximum number of ids in an e-mail's `References`.
const MAX_REFERENCES: usize = 10;

/// Maximum number of e-mails to an address per hour and per day that are caused by messages without a token, and of
/// notes to the host per hour.
const MAX_UNPROVEN_AN_HOUR: i64 = 5;
const MAX_UNPROVEN_A_DAY: i64 = 20;

impl Work<'_> {
    /// Mails a user about a board, if the user can receive e-mails.
    pub(super) fn post_about(
        &self,
        board: &Board,
        user: &User,
        news: &str,
        body: String,
    ) -> Answer<()> {
        if !user.is_reachable() {
            return Ok(());
        }
        self.post(&Draft {
            board: Some((board.id, board.plies)),
            ..Draft::to(user, format!("{} {news}", board.tag()), body)
        })
    }

    /// Mails a note to the host, within the hourly limit.
    pub(super) fn mail_host(&self, text: &str) -> Answer<()> {
        let to = store::get(self.db, "host")?;
        let last_hour = params![to, self.now - HOUR];
        if self.count("outbox WHERE recipient = ?1 AND at > ?2", last_hour)? >= MAX_UNPROVEN_AN_HOUR
        {
            return Ok(());
        }
        self.post_unlimited(&Draft {
            to,
            subject: "A note from the club".to_owned(),
            body: wrap_lines(text),
            ..Draft::default()
        })
    }

    /// `true` if the limits permit an e-mail to this address. An address without a confirmed account gets one e-mail a
    /// day, and more only in answer to messages that prove that their sender reads it. Messages without a token cause
    /// few e-mails, since their sender may be forged.
    pub(super) fn may_mail(&self, to: &str) -> Answer<bool> {
        if self.is_host() {
            return Ok(true);
        }
        let is_reader = self.is_reader && self.sender() == to;
        let is_proven = is_reader || self.is_users(to) || self.is_known(to)?;
        let sent = "outbox WHERE recipient = ?1 AND at > ?2";
        if !is_proven && self.count(sent, params![to, self.now - DAY])? > 0 {
            return Ok(false);
        }
        Ok(is_reader || self.user.is_some() || self.n_unproven_left(to)? > 0)
    }

    /// Number of e-mails that messages without a token may still cause to this address now.
    pub(super) fn n_unproven_left(&self, to: &str) -> Answer<i64> {
        let mut left = i64::MAX;
        for (max, period) in [(MAX_UNPROVEN_AN_HOUR, HOUR), (MAX_UNPROVEN_A_DAY, DAY)] {
            let unproven = "outbox WHERE recipient = ?1 AND at > ?2 AND cause IS NULL";
            left = left.min(max - self.count(unproven, params![to, self.now - period])?);
        }
        Ok(left)
    }

    /// Stores an e-mail, to be sent after the commit, if the limits permit one to its recipient.
    pub(super) fn post(&self, draft: &Draft) -> Answer<()> {
        match self.may_mail(&draft.to)? {
            true => self.post_unlimited(draft),
            false => Ok(()),
        }
    }

    pub(super) fn post_unlimited(&self, draft: &Draft) -> Answer<()> {
        let domain = self.own.rsplit('@').next().unwrap_or("localhost");
        let to = &draft.to;
        let (board, plies) = draft.board.unzip();
        let random = new_token()? + &new_token()?;
        let id = format!("{}.{random}@{domain}", board.unwrap_or(0));
        let cause = match self.is_host() {
            true => Some(0),
            false => self.user.as_ref().map(|user| user.id),
        };
        let is_answer = self.is_users(to) || !self.is_host() && self.sender() == to;
        let mut references = self.thread(draft)?;
        if let Some(incoming) = self.incoming.filter(|_| is_answer) {
            references.extend(incoming.references.iter().cloned());
            references.extend(Some(incoming.id.clone()).filter(|id| !id.is_empty()));
        }
        let mut seen = std::collections::HashSet::new();
        references.reverse();
        references.retain(|id| seen.insert(id.clone()));
        references.truncate(MAX_REFERENCES);
        references.reverse();
        let raw = compose(draft, &self.own, &id, &references, is_answer, self.now)?;
        self.db.execute(
            "INSERT INTO outbox (message_id, recipient, user, board, plies, grants_account, raw, at, cause)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![id, to, draft.user, board, plies, draft.grants_account, raw, self.now, cause],
        )?;
        Ok(())
    }

    /// Returns the ids of the first and the last e-mail to the same player about the same board.
    fn thread(&self, draft: &Draft) -> Answer<Vec<String>> {
        let (Some(user), Some((board, _))) = (draft.user, draft.board) else {
            return Ok(Vec::new());
        };
        let mut ids = Vec::new();
        for order in ["ASC", "DESC"] {
            let query = format!(
                "SELECT message_id FROM outbox WHERE user = ?1 AND board = ?2 ORDER BY id {order} LIMIT 1"
            );
            let id = self.db.query_row(&query, [user, board], |row| row.get(0));
            ids.extend(id.optional()?);
        }
        ids.dedup();
        Ok(ids)
    }
}
