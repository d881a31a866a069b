//! Outgoing e-mails: stored in the transaction that causes them, and sent after it.

use kit::fen::counted;
use rusqlite::{Connection, OptionalExtension};

use crate::error::Answer;
use crate::post::{FailureKind, Post, Unsent};
use crate::store;
use crate::user::User;

/// Time for which sending an e-mail is retried, in seconds: five days, as mail servers do.
const MAX_AGE: i64 = 5 * 86_400;

/// Delay after the first failed attempt to send an e-mail, doubled after each further one, and its maximum, in seconds.
const FIRST_DELAY: i64 = 60;
const MAX_DELAY: i64 = 6 * 3600;

/// An e-mail without id and thread.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    pub(crate) to: String,
    /// The recipient's account.
    pub(crate) user: Option<i64>,
    /// The board, and its number of moves.
    pub(crate) board: Option<(i64, usize)>,
    /// `true` if an answer authenticates like the account token.
    pub(crate) grants_account: bool,
    pub(crate) subject: String,
    pub(crate) body: String,
}

impl Draft {
    /// An e-mail to a user.
    pub(crate) fn to(user: &User, subject: String, body: String) -> Draft {
        Draft {
            to: user.address.clone(),
            user: Some(user.id),
            subject,
            body,
            ..Draft::default()
        }
    }
}

/// An e-mail of the club that a message answers. Only its recipient knows its id.
pub(crate) struct Sent {
    pub(crate) recipient: String,
    user: Option<i64>,
    board: Option<(i64, usize)>,
    grants_account: bool,
    /// Its text.
    pub(crate) raw: Vec<u8>,
}

/// Returns the e-mails of the club with these ids, in their order.
pub(crate) fn sent(db: &Connection, ids: &[String]) -> rusqlite::Result<Vec<Sent>> {
    let mut query = db.prepare(
        "SELECT recipient, user, grants_account, raw, board, plies FROM outbox WHERE message_id = ?1",
    )?;
    let mut emails = Vec::new();
    for id in ids {
        let found = query.query_row([id], |row| {
            let (board, plies): (Option<i64>, Option<usize>) = (row.get(4)?, row.get(5)?);
            Ok(Sent {
                recipient: row.get(0)?,
                user: row.get(1)?,
                board: board.zip(plies),
                grants_account: row.get(2)?,
                raw: row.get(3)?,
            })
        });
        emails.extend(found.optional()?);
    }
    Ok(emails)
}

/// What an answer to e-mails of the club implies.
#[derive(Clone, Copy)]
pub(crate) struct Answered {
    pub(crate) user: i64,
    /// A board, and its number of moves.
    pub(crate) board: Option<(i64, usize)>,
    pub(crate) grants_account: bool,
}

impl Answered {
    /// Of e-mails, the nearest first: the recipient of the nearest one, and the nearest board among those to the same
    /// recipient.
    pub(crate) fn of(emails: &[Sent]) -> Option<Answered> {
        let user = emails.iter().find_map(|email| email.user)?;
        let mut own = emails.iter().filter(|email| email.user == Some(user));
        Some(Answered {
            user,
            board: own.clone().find_map(|email| email.board),
            grants_account: own.any(|email| email.grants_account),
        })
    }
}

/// Sends the e-mails that are due. One that cannot be sent is retried later, without delay for the others. Returns
/// the last failure as text.
///
/// # Errors
/// The store cannot be used.
pub(crate) fn hand_over(db: &mut Connection, post: &Post, now: i64) -> Answer<Option<String>> {
    let from = store::get(db, "address")?;
    let mut failure = None;
    loop {
        let next = db.query_row(
            "SELECT id, tries, message_id, recipient, raw FROM outbox
             WHERE sent IS NULL AND at > ?1 AND due <= ?2 ORDER BY tries, id LIMIT 1",
            [now - MAX_AGE, now],
            |row| row.try_into(),
        );
        let next: Option<Unsent> = next.optional()?;
        let Some(email) = next else { break };
        let (id, tries, ..) = email;
        match post.hand_over(&from, &email) {
            Ok(()) => {
                db.execute("UPDATE outbox SET sent = ?2 WHERE id = ?1", [id, now])?;
            }
            Err((kind, why)) => {
                failure = Some(why);
                if kind == FailureKind::Unusable {
                    break;
                }
                let delay = (FIRST_DELAY << tries.min(20)).min(MAX_DELAY);
                let update = "UPDATE outbox SET tries = tries + 1, due = ?2 WHERE id = ?1";
                db.execute(update, [id, now + delay])?;
                if kind == FailureKind::TimedOut {
                    break;
                }
            }
        }
    }
    let n_left = n_waiting(db, now)?;
    let (waiting, verb) = (
        counted(n_left, "e-mail"),
        if n_left == 1 { "is" } else { "are" },
    );
    Ok(failure.map(|why| format!("{waiting} {verb} waiting for a later run: {why}")))
}

/// Number of pending e-mails.
pub(crate) fn n_waiting(db: &Connection, now: i64) -> rusqlite::Result<usize> {
    let query = "SELECT count(*) FROM outbox WHERE sent IS NULL AND at > ?1";
    db.query_row(query, [now - MAX_AGE], |row| row.get(0))
}

/// `true` if an e-mail can be sent now.
pub(crate) fn is_due(db: &Connection, now: i64) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM outbox WHERE sent IS NULL AND at > ?1 AND due <= ?2)";
    db.query_row(query, [now - MAX_AGE, now], |row| row.get(0))
}
