//! One transaction: the sender of commands, and their execution one by one.

use record::game_spec::GameSpec;
use record::registry::Rules;
use referee::host::Host;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Params, params};

use super::limits::{HOUR, MAX_TO_STRANGERS};
use super::user::User;
use crate::email::{wrap, wrap_lines};
use crate::error::{Answer, ClubError, refuse};
use crate::message::Incoming;
use crate::outbox::{Answered, Draft};
use crate::script::{self, Line, Script, word};
use crate::store;

/// Sender of a command.
#[derive(Debug, Clone)]
pub(crate) enum Sender {
    /// A process with write access to the store, which names users without giving tokens.
    Host,
    /// An e-mail.
    Mail {
        /// Its claimed address, which alone grants nothing.
        address: String,
        /// The club's e-mail that it answers.
        answered: Option<Answered>,
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
        let (text, is_done) = match act(self) {
            Ok(text) => (text, true),
            Err(ClubError::Refused(why)) => {
                self.db.execute_batch("ROLLBACK TO command")?;
                (wrap(&format!("Not done: {why}.")), false)
            }
            Err(broken) => return Err(broken),
        };
        self.db.execute_batch("RELEASE command")?;
        Ok((text, is_done))
    }

    fn execute(&mut self, line: &Line) -> Answer<String> {
        match line.word {
            "accept" => self.accept(line),
            "address" => self.change_address(line),
            "challenge" => self.challenge(line),
            "decline" => self.decline(line),
            "games" => self.list_games(line),
            "help" => self.help(line),
            "history" => self.history(line),
            "message" => self.message(line),
            "move" | "resign" | "draw" | "undo" | "swap" | "pass" => self.make_move(line),
            "note" => self.note(line),
            "players" => self.list_players(),
            "queue" => self.queue(line),
            "ratings" => self.ratings(line),
            "show" => self.show(line),
            "signoff" => self.sign_off(line),
            "signup" => self.sign_up(line),
            "standings" => self.standings(line),
            "token" => self.new_token(line),
            "unwatch" => self.watch(line, false),
            "vacation" => self.vacation(line),
            "watch" => self.watch(line, true),
            "whoami" => self.who_am_i(line),
            word => refuse!("{word}: expected a command listed by help"),
        }
    }

    /// Answers the message. E-mails to a sender without an account are limited per hour.
    pub(crate) fn answer(&mut self, text: &str) -> Answer<()> {
        let Sender::Mail { address, .. } = &self.sender else {
            return Ok(());
        };
        let to = self.user.as_ref().map_or(address, |user| &user.address);
        let user = self.user.as_ref().map(|user| user.id);
        if user.is_none() && self.n_mails_to(to)? >= MAX_TO_STRANGERS {
            return Ok(());
        }
        let subject = self.incoming.map_or("", |incoming| &incoming.subject);
        let subject = wrap_lines(subject);
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
            subject,
            body: format!("{text}\n"),
            ..Draft::default()
        })
    }

    /// Mails a note to the host, within the hourly limit.
    pub(crate) fn mail_host(&self, text: &str) -> Answer<()> {
        let to = store::get(self.db, "host")?;
        if self.n_mails_to(&to)? >= MAX_TO_STRANGERS {
            return Ok(());
        }
        self.post(&Draft {
            to,
            subject: "A note from the club".to_owned(),
            body: wrap_lines(text),
            ..Draft::default()
        })
    }

    /// Number of e-mails sent to an address without an account within the last hour.
    fn n_mails_to(&self, address: &str) -> Answer<i64> {
        let rows = "outbox WHERE recipient = ?1 AND user IS NULL AND at > ?2";
        self.count(rows, params![address, self.now - HOUR])
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
    pub(super) fn column<T: FromSql>(&self, query: &str, param: i64) -> Answer<Vec<T>> {
        let mut query = self.db.prepare(query)?;
        let column = query.query_map([param], |row| row.get(0))?;
        Ok(column.collect::<Result<_, _>>()?)
    }
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}
