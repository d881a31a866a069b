//! E-mails of a transaction, in the threads of their recipients.

use rusqlite::{OptionalExtension, params};

use super::board::Board;
use super::user::User;
use super::work::{Sender, Work};
use crate::email::compose;
use crate::error::Answer;
use crate::outbox::Draft;
use crate::token;

/// Maximum number of ids in an e-mail's `References`.
const MAX_REFERENCES: usize = 10;

impl Work<'_> {
    /// Mails a user about a board, if the user can receive e-mails.
    pub(crate) fn post_about(
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
            to: user.address.clone(),
            user: Some(user.id),
            board: Some((board.id, board.plies)),
            subject: format!("{} {news}", board.tag()),
            body,
            ..Draft::default()
        })
    }

    /// Stores an e-mail, to be sent after the commit, if the limits permit one to its recipient.
    pub(crate) fn post(&self, draft: &Draft) -> Answer<()> {
        match self.may_mail(&draft.to)? {
            true => self.post_unlimited(draft),
            false => Ok(()),
        }
    }

    pub(super) fn post_unlimited(&self, draft: &Draft) -> Answer<()> {
        let domain = self.own.rsplit('@').next().unwrap_or("localhost");
        let Draft {
            to,
            user,
            grants_account,
            ..
        } = draft;
        let (board, plies) = draft.board.unzip();
        let id = format!(
            "{}.{}{}@{domain}",
            board.unwrap_or(0),
            token::new()?,
            token::new()?
        );
        let cause = match self.sender {
            Sender::Host => Some(0),
            Sender::Mail { .. } => self.user.as_ref().map(|user| user.id),
        };
        let is_answer = self.is_from(&draft.to);
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
            params![id, to, user, board, plies, grants_account, raw, self.now, cause],
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
