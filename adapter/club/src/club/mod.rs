//! The club: processes each message in one transaction.
//!
//! [`Club`] is the public interface. [`Work`] is one transaction, with the sender and the sender's rights; each kind of
//! command has its own file.

mod work;

mod accounts;
mod boards;
mod challenges;
mod identity;
mod mail;
mod play;
mod show;

mod tick;

use std::fs::{File, TryLockError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use linesman::date::moment;
use linesman::platform::private;
use referee::host::Host;
use rusqlite::{Connection, OptionalExtension, params};

use crate::{
    Answer, Answered, ClubError, HOUR, Incoming, Post, User, is_authentic, message, outbox, script,
    store, wrap,
};
use boards::{AtBoard, Board, BoardState};
use identity::TokenKind;
use mail::{codes, drawn, game_text};
use work::Work;

/// Maximum number of messages without a token per address and hour that are carried out.
const MAX_AN_HOUR: i64 = 60;

/// Maximum number of other messages per sender and hour that are carried out and answered, and of the answers to those
/// in which nothing could be carried out. A program that answers each answer sends more of them.
const MAX_PROVEN_AN_HOUR: i64 = 100;
const MAX_REFUSED_AN_HOUR: i64 = 30;

/// A club's store, with the host program.
pub struct Club {
    db: Connection,
    path: PathBuf,
    host: Host,
}

/// Outcome of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// Its commands were carried out or rejected.
    Done,
    /// It is a duplicate.
    Again,
    /// It was sent by a program, for this reason. It is ignored and not answered.
    Automatic(&'static str),
    /// It could not be parsed, for this reason.
    Damaged(&'static str),
    /// Its sender has exceeded the hourly limit.
    TooMany,
}

impl Club {
    /// Opens a store.
    ///
    /// # Errors
    /// The store is missing, is not a club's, or cannot be used now.
    pub fn open(path: &Path, host: Host) -> Answer<Club> {
        Club::of(store::open(path, false)?, path, host)
    }

    /// Creates a store, or opens it if it exists.
    ///
    /// # Errors
    /// The file is not a club's, or cannot be used now.
    pub fn create(path: &Path, host: Host) -> Answer<Club> {
        Club::of(store::open(path, true)?, path, host)
    }

    fn of(db: Connection, path: &Path, host: Host) -> Answer<Club> {
        let path = path.to_owned();
        Ok(Club { db, path, host })
    }

    /// Sets the club's address and the host's address, who is mailed about damaged messages; and the id of the mail server
    /// whose results in `Authentication-Results` are trusted, none if it is empty.
    ///
    /// # Errors
    /// An address is invalid, or the store cannot be used.
    pub fn set_addresses(&mut self, address: &str, host: &str, authserv_id: &str) -> Answer<()> {
        for address in [address, host] {
            if !message::is_address(address) {
                let why = format!("{address:?} is not an address such as club@example.org");
                return Err(ClubError::Other(why));
            }
        }
        let tx = store::begin(&mut self.db)?;
        for (key, value) in [
            ("address", address),
            ("host", host),
            ("authserv_id", authserv_id),
        ] {
            store::set(&tx, key, &value.to_ascii_lowercase())?;
        }
        Ok(tx.commit()?)
    }

    /// Processes a message in one transaction. `now` is in Unix seconds.
    ///
    /// # Errors
    /// The message could not be stored and must be delivered again.
    pub fn receive(&mut self, bytes: &[u8], now: i64) -> Answer<Report> {
        let own = store::get(&self.db, "address")?;
        // A panic in the third-party parser affects only this message.
        let read = catch_unwind(|| Incoming::parse(bytes, &own)).unwrap_or(Err("no message"));
        let key = message::key(bytes, &read);
        let tx = store::begin(&mut self.db)?;
        let known = tx.query_row("SELECT 1 FROM inbox WHERE key = ?1", [&key], |_| Ok(()));
        if known.optional()?.is_some() {
            return Ok(Report::Again);
        }
        let mut work = Work::new(&tx, &self.host, now)?;
        let report = match &read {
            Ok(incoming) => work.process(incoming)?,
            Err(why) => {
                work.mail_host(&format!("A message could not be read: {why}."))?;
                Report::Damaged(why)
            }
        };
        let outcome = match work.is_refused {
            true => REFUSED.to_owned(),
            false => format!("{report:?}"),
        };
        let insert = "INSERT INTO inbox VALUES (?1, ?2, ?3, ?4, ?5)";
        let (sender, is_proven) = (work.reply_address(), work.is_proven());
        tx.execute(insert, params![key, now, sender, outcome, is_proven])?;
        tx.commit()?;
        Ok(report)
    }

    /// Carries out a command of the host in one transaction. Returns the answer and `true` if it succeeded.
    ///
    /// # Errors
    /// The result could not be stored.
    pub fn command(&mut self, words: &str, now: i64) -> Answer<(String, bool)> {
        let tx = store::begin(&mut self.db)?;
        let mut work = Work::new(&tx, &self.host, now)?;
        let outcome = work.run(&script::parse("", words, &work.games))?;
        tx.commit()?;
        Ok((outcome.text(), outcome.is_done()))
    }

    /// Sends pending e-mails and exports the ledgers that have grown. If another process is already doing this, it
    /// includes this process's e-mails. Returns failures as texts; the next run retries them.
    ///
    /// # Errors
    /// The store cannot be used.
    pub fn settle(&mut self, post: &Post, now: i64) -> Answer<Vec<String>> {
        let mut notes = Vec::new();
        loop {
            // The holder of the lock checks again after releasing it.
            let Some(lock) = self.lock("lock")? else {
                return Ok(notes);
            };
            let failure = outbox::hand_over(&mut self.db, post, now)?;
            let is_stuck = failure.is_some() && outbox::is_due(&self.db, now)?;
            notes.extend(failure);
            notes.extend(self.export("exported < n_lines")?);
            // A process that was just forked may have the file open too, so closing it would not release the lock.
            lock.unlock()?;
            // E-mails that cannot be sent now are left for a later run.
            if is_stuck || !outbox::is_due(&self.db, now)? {
                return Ok(notes);
            }
        }
    }

    /// Locks the file next to the store with this extension; `None` if another process holds it.
    fn lock(&self, extension: &str) -> Answer<Option<File>> {
        let path = self.path.with_added_extension(extension);
        let file = private().create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }
}

/// Checks of a message before its commands are read.
impl<'a> Work<'a> {
    fn process(&mut self, incoming: &'a Incoming) -> Answer<Report> {
        if let Some(why) = incoming.automatic {
            return Ok(Report::Automatic(why));
        }
        self.incoming = Some(incoming);
        self.sent = outbox::sent(self.db, &incoming.answers)?;
        self.answered = Answered::of(&self.sent);
        let mut sent = self.sent.iter();
        self.is_reader = sent.any(|email| email.recipient == incoming.sender);
        let server = store::get(self.db, "authserv_id")?;
        if is_authentic(&incoming.authentication, &server, &incoming.sender) {
            let own = "SELECT id FROM users WHERE address = ?1 AND confirmed = 1 AND gone = 0";
            self.authentic = self.column(own, &incoming.sender)?;
        }
        if let [id] = self.authentic.as_slice() {
            self.user = Some(self.user(*id)?);
        }
        if let Some(answered) = self.answered {
            self.user = Some(self.user(answered.user)?).filter(User::is_reachable);
        }
        if let Some(why) = incoming.fault {
            let why = format!(
                "Not done: none of the commands in your message was executed, because it has a fault: {why}. Send plain \
                 text without attachments, shorter than 1 MiB."
            );
            self.answer_refused(&wrap(&why))?;
            return Ok(Report::Damaged("only its header could be read"));
        }
        let script = script::parse(&incoming.subject, &incoming.text, &self.games);
        self.identify(&script)?;
        let max = match self.is_proven() {
            true => MAX_PROVEN_AN_HOUR,
            false => MAX_AN_HOUR,
        };
        let n_received = self.n_received("outcome <> ?4")?;
        if n_received >= max {
            if n_received == max && self.is_proven() {
                let until = moment(self.now + HOUR);
                self.answer(&wrap(&format!(
                    "Not done: {MAX_PROVEN_AN_HOUR} messages of yours came within an hour, the maximum. This one and \
                     those that follow until {until} are neither carried out nor answered, and none of them is kept: \
                     send it again then."
                )))?;
            }
            return Ok(Report::TooMany);
        }
        self.db.execute_batch("SAVEPOINT message")?;
        // A panic in a command affects only its message.
        let run = catch_unwind(AssertUnwindSafe(|| self.run(&script)));
        let Ok(run) = run else {
            self.db
                .execute_batch("ROLLBACK TO message; RELEASE message")?;
            let sender = &incoming.sender;
            self.mail_host(&format!("A message of {sender} could not be executed."))?;
            return Ok(Report::Damaged("an internal error of the club"));
        };
        let outcome = run?;
        self.db.execute_batch("RELEASE message")?;
        let text = outcome.text();
        if outcome.n_done == 0 {
            self.answer_refused(&text)?;
        } else if !text.is_empty() {
            self.answer(&text)?;
        }
        Ok(Report::Done)
    }

    /// Number of messages of this sender within an hour, of the same kind: with or without a proof that the sender reads
    /// the address. In the condition, `?4` is the outcome of those in which nothing was carried out.
    fn n_received(&self, condition: &str) -> Answer<i64> {
        let since = self.now - HOUR;
        self.count(
            &format!("inbox WHERE sender = ?1 AND proven = ?2 AND at > ?3 AND {condition}"),
            params![self.reply_address(), self.is_proven(), since, REFUSED],
        )
    }

    /// Answers a message in which nothing was carried out, within the limit: the sender may be a program that answers
    /// each answer.
    fn answer_refused(&mut self, text: &str) -> Answer<()> {
        let may_be_program = self.answered.is_some() || self.is_reader || !self.shows_token;
        self.is_refused = self.is_proven() && may_be_program;
        if !self.is_refused {
            return self.answer(text);
        }
        match self.n_received("outcome = ?4")? + 1 {
            ..MAX_REFUSED_AN_HOUR => self.answer(text),
            MAX_REFUSED_AN_HOUR => {
                let until = moment(self.now + HOUR);
                let limit = wrap(&format!(
                    "This was message {MAX_REFUSED_AN_HOUR} within an hour in which nothing could be done. Until {until}, \
                     more of them get no answer. Moves and commands that can be carried out are still carried out and \
                     answered."
                ));
                self.answer(&format!("{text}\n\n{limit}"))
            }
            _ => Ok(()),
        }
    }
}

/// Outcome in the store of a message in which nothing was carried out.
const REFUSED: &str = "Refused";
