//! Outgoing e-mails: stored in the transaction that causes them, and sent after it.

use rusqlite::{Connection, OptionalExtension};

use crate::club::User;
use crate::error::Answer;
use crate::post::{FailureKind, Post, Undelivered};
use crate::store;

/// Time for which sending an e-mail is retried, in seconds: five days, as mail servers do.
const MAX_AGE: i64 = 5 * 86_400;

/// Delay after the first failed attempt to send an e-mail, doubled after each further one, and its maximum, in seconds.
const FIRST_DELAY: i64 = 60;
const MAX_DELAY: i64 = 6 * 3600;

/// Row id, number of failed attempts, message id, recipient and contents of a pending e-mail.
type Unsent = (i64, u32, String, String, Vec<u8>);

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

/// The e-mails of the club that a message answers. Only their recipient knows their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answered {
    pub(crate) user: i64,
    pub(crate) board: Option<i64>,
    pub(crate) plies: Option<usize>,
    pub(crate) grants_account: bool,
}

/// Returns what an answer to these e-mails of the club implies, the nearest first: the recipient of the nearest one, and
/// the nearest board among those to the same recipient.
pub(crate) fn find(db: &Connection, ids: &[String]) -> rusqlite::Result<Option<Answered>> {
    let mut query = db.prepare(
        "SELECT user, board, plies, grants_account FROM outbox WHERE message_id = ?1 AND user IS NOT NULL",
    )?;
    let mut nearest: Option<Answered> = None;
    for id in ids {
        let found = query.query_row([id], |row| {
            Ok(Answered {
                user: row.get(0)?,
                board: row.get(1)?,
                plies: row.get(2)?,
                grants_account: row.get(3)?,
            })
        });
        let Some(found) = found.optional()? else {
            continue;
        };
        let nearest = nearest.get_or_insert(found);
        if nearest.user == found.user {
            nearest.grants_account |= found.grants_account;
            if nearest.board.is_none() {
                (nearest.board, nearest.plies) = (found.board, found.plies);
            }
        }
    }
    Ok(nearest)
}

/// Returns the e-mails of the club with these ids.
pub(crate) fn texts(db: &Connection, ids: &[String]) -> rusqlite::Result<Vec<String>> {
    let mut query = db.prepare("SELECT raw FROM outbox WHERE message_id = ?1")?;
    let mut texts = Vec::new();
    for id in ids {
        let raw: Option<Vec<u8>> = query.query_row([id], |row| row.get(0)).optional()?;
        texts.extend(raw.map(|raw| String::from_utf8_lossy(&raw).into_owned()));
    }
    Ok(texts)
}

/// `true` if one of these ids is that of an e-mail to this address, so that its sender can read what is sent there.
pub(crate) fn was_received(db: &Connection, ids: &[String], by: &str) -> rusqlite::Result<bool> {
    let mut query = db.prepare("SELECT 1 FROM outbox WHERE message_id = ?1 AND recipient = ?2")?;
    for id in ids {
        if query.exists([id.as_str(), by])? {
            return Ok(true);
        }
    }
    Ok(false)
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
        let Some((id, tries, message, to, raw)): Option<Unsent> = next.optional()? else {
            break;
        };
        match post.hand_over(id, &message, &from, &to, &raw) {
            Ok(()) => {
                db.execute("UPDATE outbox SET sent = ?2 WHERE id = ?1", [id, now])?;
            }
            Err(Undelivered { why, kind }) => {
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
    let waiting = match n_left {
        1 => "e-mail is waiting",
        _ => "e-mails are waiting",
    };
    Ok(failure.map(|why| format!("{n_left} {waiting} for a later run: {why}")))
}

/// Number of pending e-mails.
pub(crate) fn n_waiting(db: &Connection, now: i64) -> rusqlite::Result<i64> {
    let query = "SELECT count(*) FROM outbox WHERE sent IS NULL AND at > ?1";
    db.query_row(query, [now - MAX_AGE], |row| row.get(0))
}

/// `true` if an e-mail can be sent now.
pub(crate) fn is_due(db: &Connection, now: i64) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM outbox WHERE sent IS NULL AND at > ?1 AND due <= ?2)";
    db.query_row(query, [now - MAX_AGE, now], |row| row.get(0))
}
