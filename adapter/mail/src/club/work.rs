//! One transaction: the sender of commands, and their execution one by one.

use std::collections::BTreeSet;

use record::game_spec::GameSpec;
use record::registry::Rules;
use referee::host::Host;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Params, ToSql, params};

use super::board::Board;
use super::limits::{DAY, HOUR, MAX_UNPROVEN_A_DAY, MAX_UNPROVEN_AN_HOUR};
use super::user::User;
use crate::email::{wrap, wrap_lines};
use crate::error::{Answer, ClubError, refuse};
use crate::message::Incoming;
use crate::outbox::{Answered, Draft};
use crate::script::{self, Line, Script, Words, word};
use crate::{store, token};

/// Hint in answers to an address without a confirmed account.
const ONE_A_DAY: &str = "An address without a confirmed account gets one e-mail a day. For more, reply to this \
                         e-mail.";

/// Sender of a command.
#[derive(Debug, Clone)]
pub(crate) enum Sender {
    /// A process with write access to the store, which names users without giving tokens.
    Host,
    /// An e-mail.
    Mail {
        /// Its claimed address, which alone grants nothing.
        address: String,
        /// The club's e-mails that it answers.
        answered: Option<Answered>,
        /// `true` if it answers an e-mail to this address.
        is_reader: bool,
    },
}

/// A transaction, and the message that it processes.
pub(crate) struct Work<'a> {
    pub(crate) db: &'a Connection,
    pub(crate) host: &'a Host,
    /// Unix time in seconds.
    pub(crate) now: i64,
    pub(crate) sender: Sender,
    pub(crate) incoming: Option<&'a Incoming>,
    /// The club's address.
    pub(crate) own: String,
    /// The authenticated user. Answers go to this user's address, not to the claimed sender.
    pub(crate) user: Option<User>,
    /// The users at the sender's address, if the mail server has verified it.
    pub(super) authentic: Vec<i64>,
    /// The user whose address the current command has confirmed.
    pub(super) confirmed: Option<User>,
    /// The boards that the commands named.
    pub(super) named: BTreeSet<i64>,
}

impl<'a> Work<'a> {
    /// Begins the work of the host, or of a message whose sender is set later. `now` is in Unix seconds.
    pub(crate) fn new(db: &'a Connection, host: &'a Host, now: i64) -> Answer<Work<'a>> {
        Ok(Work {
            db,
            host,
            now,
            sender: Sender::Host,
            incoming: None,
            own: store::get(db, "address")?,
            user: None,
            authentic: Vec::new(),
            confirmed: None,
            named: BTreeSet::new(),
        })
    }

    /// Returns the names of all games.
    pub(crate) fn games(&self) -> Vec<&'static str> {
        let games = self.host.registry.games().iter();
        games.map(|entry| entry.name).collect()
    }

    /// Returns the game that a word names.
    pub(crate) fn game_named(&self, text: &str) -> Answer<&'static str> {
        let games = self.games();
        match script::game(text, &games) {
            Some(game) => Ok(game),
            None => refuse!(
                "no game {}: expected one of {}",
                word(text),
                games.join(", ")
            ),
        }
    }

    /// Returns the rules of a game with its options.
    pub(crate) fn rules(&self, spec: &GameSpec) -> Answer<Rules> {
        let rules = self.host.registry.rules(spec);
        match rules.map_err(|error| ClubError::Refused(error.to_string()))? {
            Some(rules) => Ok(rules),
            None => refuse!("it has no rules: expected one of the club's games"),
        }
    }

    pub(crate) fn is_host(&self) -> bool {
        matches!(self.sender, Sender::Host)
    }

    /// Returns the club's e-mail that the message answers.
    pub(crate) fn answered(&self) -> Option<Answered> {
        match &self.sender {
            Sender::Mail { answered, .. } => *answered,
            Sender::Host => None,
        }
    }

    /// `true` if an e-mail to this address is an answer to the message.
    pub(crate) fn is_from(&self, to: &str) -> bool {
        let own = self.user.as_ref().is_some_and(|user| user.address == to);
        own || matches!(&self.sender, Sender::Mail { address, .. } if address == to)
    }

    /// Carries out the commands one by one. A command that fails changes nothing, and the next ones still run. Returns
    /// the answer, and `true` if all commands succeeded.
    pub(crate) fn run(&mut self, script: &Script) -> Answer<(String, bool)> {
        if script.lines.is_empty() {
            return self.one(|work| work.play_answer(script));
        }
        let mut answers = Vec::new();
        let mut are_done = true;
        for line in &script.lines {
            let (text, is_done) = self.one(|work| work.execute(line))?;
            are_done &= is_done;
            if !text.is_empty() {
                let echo = format!("> {} {}", line.word, first_word(&line.rest));
                answers.push(format!("{}\n\n{text}", echo.trim_end()));
            }
        }
        if script.n_left_out > 0 {
            let n = script.n_left_out;
            let why = "more commands are ignored: too many in one message";
            answers.push(format!("{n} {why}."));
        }
        if answers.len() == 1 && script.lines.len() == 1 {
            let (_, text) = answers[0].split_once("\n\n").unwrap_or_default();
            return Ok((text.to_owned(), are_done));
        }
        Ok((answers.join("\n\n"), are_done))
    }

    /// Runs one action in a savepoint, so that it either succeeds or changes nothing.
    fn one(&mut self, act: impl FnOnce(&mut Work<'a>) -> Answer<String>) -> Answer<(String, bool)> {
        self.db.execute_batch("SAVEPOINT command")?;
        self.confirmed = None;
        let (text, is_done) = match act(self) {
            Ok(text) => (text, true),
            Err(ClubError::Refused(why)) => {
                self.db.execute_batch("ROLLBACK TO command")?;
                // The token was right although the command was not.
                if let Some(user) = self.confirmed.take() {
                    self.confirm(&user)?;
                }
                (wrap(&format!("Not done: {why}.")), false)
            }
            Err(broken) => return Err(broken),
        };
        self.db.execute_batch("RELEASE command")?;
        Ok((text, is_done))
    }

    fn execute(&mut self, line: &Line) -> Answer<String> {
        let words = Words::new(&line.rest);
        match line.word {
            "accept" => self.accept(line),
            "address" => self.change_address(words),
            "block" | "unblock" => self.block(line, words),
            "challenge" => self.challenge(line, words),
            "decline" => self.decline(line),
            "delete" => self.delete_board(line, words),
            "games" => self.list_games(line, words),
            "help" => self.help(line),
            "history" => self.history(line, words),
            "message" => self.message(line, words),
            "move" | "resign" | "draw" | "undo" | "swap" | "pass" => self.make_move(line, words),
            "note" => self.note(line, words),
            "players" => self.list_players(line),
            "queue" => self.queue(line, words),
            "ratings" => self.ratings(line),
            "show" => self.show(line, words),
            "signoff" => self.sign_off(line, words),
            "signup" => self.sign_up(words),
            "standings" => self.standings(line),
            "token" => self.new_token(line, words),
            "forget" => self.forget(words),
            "whoami" => self.who_am_i(words),
            word => refuse!("{word}: expected a command listed by help"),
        }
    }

    /// Answers the message. An answer to the answer concerns the same board.
    pub(crate) fn answer(&mut self, text: &str) -> Answer<()> {
        let Sender::Mail {
            address, answered, ..
        } = &self.sender
        else {
            return Ok(());
        };
        let named = self.named.first().copied();
        let board = match self.named.len() {
            0 => answered.and_then(|answered| answered.board),
            1 => named,
            _ => None,
        };
        let board = board.map(|id| self.board(id)).transpose()?;
        let to = self.user.as_ref().map_or(address, |user| &user.address);
        let user = match (&self.user, &board) {
            (Some(user), _) => Some(user.id),
            (None, Some(board)) => self.player_at(board, to)?,
            (None, None) => None,
        };
        let subject = self.incoming.map_or("", |incoming| &incoming.subject);
        let subject = wrap_lines(subject);
        let hint = match user.is_some() || self.is_known(to)? {
            true => String::new(),
            false => format!("\n\n{}", wrap(ONE_A_DAY)),
        };
        let games = self.games();
        let subject = match script::read_line(&subject, &games) {
            // The words after the command may be tokens.
            Some(line) => format!("Re: {}", line.word),
            None if subject.is_empty() => "Linesman".to_owned(),
            None if subject.to_ascii_lowercase().starts_with("re:") => subject,
            None => format!("Re: {subject}"),
        };
        self.post(&Draft {
            to: to.clone(),
            user,
            board: board.map(|board| (board.id, board.plies)),
            subject,
            body: format!("{text}{hint}\n"),
            ..Draft::default()
        })
    }

    /// `true` if an account has confirmed this address.
    fn is_known(&self, address: &str) -> Answer<bool> {
        let known = "users WHERE address = ?1 AND confirmed = 1 AND gone = 0";
        Ok(self.count(known, [address])? > 0)
    }

    /// Returns the player of a board whose address is this one.
    fn player_at(&self, board: &Board, address: &str) -> Answer<Option<i64>> {
        for id in board.players {
            let user = self.user(id)?;
            if user.is_reachable() && user.address == address {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// `true` if a command of the message contains a valid token, the message answers an e-mail of the club, or the mail
    /// server has verified its sender.
    pub(super) fn shows_token(&self, script: &Script) -> Answer<bool> {
        if self.answered().is_some() || !self.authentic.is_empty() {
            return Ok(true);
        }
        let rests = script.lines.iter().map(|line| line.rest.as_str());
        let words: Vec<&str> = rests.flat_map(str::split_whitespace).collect();
        let mut tokens = self.db.prepare(
            "SELECT token FROM users UNION ALL SELECT new_token FROM users WHERE new_token IS NOT NULL
             UNION ALL SELECT token1 FROM boards UNION ALL SELECT token2 FROM boards",
        )?;
        let mut tokens = tokens.query_map([], |row| row.get::<_, String>(0))?;
        tokens.try_fold(false, |found, token| {
            let token = token?;
            Ok(found | words.iter().any(|word| token::is_same(&token, word)))
        })
    }

    /// Mails a note to the host, within the hourly limit.
    pub(crate) fn mail_host(&self, text: &str) -> Answer<()> {
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
        let Sender::Mail {
            address, is_reader, ..
        } = &self.sender
        else {
            return Ok(true);
        };
        let is_reader = *is_reader && address == to;
        let own = self.user.as_ref().is_some_and(|user| user.address == to);
        let sent = "outbox WHERE recipient = ?1 AND at > ?2";
        let is_proven = is_reader || own || self.is_known(to)?;
        if !is_proven && self.count(sent, params![to, self.now - DAY])? > 0 {
            return Ok(false);
        }
        if self.user.is_some() {
            return Ok(true);
        }
        for (max, period) in [(MAX_UNPROVEN_AN_HOUR, HOUR), (MAX_UNPROVEN_A_DAY, DAY)] {
            let unproven = format!("{sent} AND cause IS NULL");
            if self.count(&unproven, params![to, self.now - period])? >= max {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the number of rows of a table that satisfy an SQL condition, as in `notes WHERE board = ?1`.
    pub(super) fn count(&self, rows: &str, params: impl Params) -> Answer<i64> {
        let query = format!("SELECT count(*) FROM {rows}");
        Ok(self.db.query_row(&query, params, |row| row.get(0))?)
    }

    /// Deletes the rows of a table that satisfy an SQL condition. Returns their number.
    pub(super) fn delete(&self, rows: &str, params: impl Params) -> Answer<usize> {
        Ok(self.db.execute(&format!("DELETE FROM {rows}"), params)?)
    }

    /// Returns the first column of a query with a single parameter.
    pub(super) fn column<T: FromSql>(&self, query: &str, param: impl ToSql) -> Answer<Vec<T>> {
        let mut query = self.db.prepare(query)?;
        let column = query.query_map([param], |row| row.get(0))?;
        Ok(column.collect::<Result<_, _>>()?)
    }
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}
