//! Outgoing e-mails: stored in the transaction that causes them, and sent after it.

use rusqlite::{Connection, OptionalExtension};

use crate::error::Answer;
use crate::post::Post;
use crate::store;

/// Time for which sending an e-mail is retried, in seconds: five days, as mail servers do.
const MAX_AGE: i64 = 5 * 86_400;

/// Number of consecutive failures after which the rest is left for the next run.
const MAX_FAILURES: usize = 3;

/// Row id, message id, recipient and contents of a pending e-mail.
type Unsent = (i64, String, String, Vec<u8>);

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

/// An e-mail of the club that a message answers. Only its recipient knows its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answered {
    pub(crate) user: i64,
    pub(crate) board: Option<i64>,
    pub(crate) plies: Option<usize>,
    pub(crate) grants_account: bool,
}

/// Returns the first e-mail of the club among these ids.
pub(crate) fn find(db: &Connection, ids: &[String]) -> rusqlite::Result<Option<Answered>> {
    let mut query = db.prepare(
        "SELECT user, board, plies, grants_account FROM outbox WHERE message_id = ?1 AND user IS NOT NULL",
    )?;
    for id in ids {
        let found = query.query_row([id], |row| {
            Ok(Answered {
                user: row.get(0)?,
                board: row.get(1)?,
                plies: row.get(2)?,
                grants_account: row.get(3)?,
            })
        });
        if let Some(found) = found.optional()? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Sends pending e-mails. Returns a failure as text.
///
/// # Errors
/// The store cannot be used.
pub(crate) fn hand_over(db: &mut Connection, post: &Post, now: i64) -> Answer<Option<String>> {
    let from = store::get(db, "address")?;
    let mut faults = Vec::new();
    let mut last = 0;
    while faults.len() < MAX_FAILURES {
        let next = db.query_row(
            "SELECT id, message_id, recipient, raw FROM outbox
             WHERE sent IS NULL AND at > ?1 AND id > ?2 ORDER BY id LIMIT 1",
            [now - MAX_AGE, last],
            |row| row.try_into(),
        );
        let Some((id, message, to, raw)): Option<Unsent> = next.optional()? else {
            break;
        };
        last = id;
        match post.hand_over(id, &message, &from, &to, &raw) {
            Ok(()) => {
                db.execute("UPDATE outbox SET sent = ?2 WHERE id = ?1", [id, now])?;
                faults.clear();
            }
            Err(why) => faults.push(why),
        }
    }
    let n_left = n_waiting(db, now)?;
    let waiting = match n_left {
        1 => "e-mail is waiting",
        _ => "e-mails are waiting",
    };
    let why = faults.pop();
    Ok(why.map(|why| format!("{n_left} {waiting} for the next run: {why}")))
}

/// Number of pending e-mails.
pub(crate) fn n_waiting(db: &Connection, now: i64) -> rusqlite::Result<i64> {
    let query = "SELECT count(*) FROM outbox WHERE sent IS NULL AND at > ?1";
    db.query_row(query, [now - MAX_AGE], |row| row.get(0))
}
