//! One transaction: the sender of commands, and their execution one by one.

use std::collections::BTreeSet;

use protocol::text::excerpt;
use record::game_spec::GameSpec;
use record::registry::Rules;
use referee::host::Host;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Params, ToSql, params};

use super::accounts::TokenKind;
use super::board::Board;
use super::limits::{DAY, HOUR, MAX_UNPROVEN_A_DAY, MAX_UNPROVEN_AN_HOUR};
use super::user::User;
use crate::email::{wrap, wrap_lines};
use crate::error::{Answer, ClubError, misread, refuse};
use crate::message::{Incoming, is_address};
use crate::outbox::{Answered, Draft};
use crate::script::{self, Line, OwnLine, Script, Words, is_number, takes_text, word};
use crate::{outbox, store, token};

/// Maximum number of commands per message.
pub(crate) const MAX_COMMANDS: usize = 20;

/// Maximum number of lines without effect that an answer names.
const MAX_UNREAD: usize = 5;

/// Hint in answers to an address without a confirmed account.
const ONE_A_DAY: &str = "An address without a confirmed account gets one e-mail a day. For more, reply to this \
                         e-mail.";

/// Hint in the last answer before the limit.
const LAST_UNPROVEN: &str = "This is the last answer for now to messages without a token, since others could send them \
                             with your address: at most five an hour and 20 a day are answered. To get more, reply to \
                             this e-mail, or end the command with your token.";

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

/// What the answer to a message says about one of its lines.
#[derive(Debug)]
struct AnswerPart {
    /// The command, shown if there are other parts.
    echo: Option<String>,
    text: String,
    /// `true` if the line begins like a command and may be a remark.
    is_remark: bool,
}

/// Result of the commands of a message.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    answers: Vec<AnswerPart>,
    /// Number of commands beyond [`MAX_COMMANDS`].
    n_left_out: usize,
    /// Number of commands and moves that were carried out, and of those that were not.
    pub(crate) n_done: usize,
    pub(crate) n_refused: usize,
}

impl Outcome {
    fn done(&mut self, echo: Option<String>, text: String) {
        self.n_done += 1;
        if !text.is_empty() {
            self.push(echo, text, false);
        }
    }

    fn refused(&mut self, echo: Option<String>, why: &ClubError) {
        self.n_refused += 1;
        self.push(
            echo,
            wrap(&format!(
                "Not done: {}.",
                why.to_string().trim_end_matches('.')
            )),
            false,
        );
    }

    /// Notes a line that may be a remark.
    fn misread(&mut self, echo: Option<String>, why: &ClubError) {
        self.push(
            echo,
            wrap(&format!(
                "Not done: {}.",
                why.to_string().trim_end_matches('.')
            )),
            true,
        );
    }

    fn push(&mut self, echo: Option<String>, text: String, is_remark: bool) {
        self.answers.push(AnswerPart {
            echo,
            text,
            is_remark,
        });
    }

    fn n_commands(&self) -> usize {
        self.n_done + self.n_refused
    }

    /// `true` if all commands were carried out.
    pub(super) fn is_done(&self) -> bool {
        self.n_refused == 0 && self.n_done > 0
    }

    /// Drops what is said about remarks, if the message is carried out and needs no answer otherwise.
    fn drop_remarks(&mut self) {
        if self.n_commands() > 0 && self.answers.iter().all(|part| part.is_remark) {
            self.answers.clear();
        }
    }

    /// Names the lines without effect: if there is an answer anyway, or if there are commands among them.
    fn name_unread(&mut self, lines: &[&OwnLine]) {
        let has_commands = lines.iter().any(|own| own.command.is_some());
        let is_answered = !self.answers.is_empty() && self.n_commands() > 0;
        if lines.is_empty() || !has_commands && !is_answered {
            return;
        }
        let intro = wrap(
            "Nothing was done for the lines below. Commands stand in the subject or at the start of the text, one per \
             line, above all other text:",
        );
        let shown = lines.iter().take(MAX_UNREAD).map(|own| {
            let words: Vec<&str> = own.text.split_whitespace().map(masked).collect();
            format!("\n> {}", excerpt(&words.join(" ")))
        });
        let more = match lines.len().saturating_sub(MAX_UNREAD) {
            0 => String::new(),
            n => format!("\nand {n} more"),
        };
        let shown: String = shown.collect();
        self.push(None, format!("{intro}\n{shown}{more}"), false);
    }

    /// Returns the answer; empty if the e-mails about the boards say all.
    pub(crate) fn text(&self) -> String {
        let is_single = self.n_commands() <= 1 && self.answers.len() == 1;
        let parts = self.answers.iter().map(|part| match &part.echo {
            Some(echo) if !is_single => format!("{}\n\n{}", echo.trim_end(), part.text),
            _ => part.text.clone(),
        });
        let n = self.n_left_out;
        let left_out = format!(
            "Not done: the last {n} of these commands. A message has at most {MAX_COMMANDS}: send them in another one."
        );
        let parts: Vec<String> = parts.chain((n > 0).then_some(left_out)).collect();
        parts.join("\n\n")
    }
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
    /// `true` if a command of the message contains a token that is right.
    shows_token: bool,
    /// `true` if nothing in the message could be carried out, and a program may have sent it.
    pub(super) is_refused: bool,
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
            shows_token: false,
            is_refused: false,
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
            None => misread!(
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

    /// Carries out the commands at the head of a message one by one, and the move in an answer. A command that fails
    /// changes nothing, and the next ones still run. Below a line that is no command, only moves count: the text there
    /// may be a copy of an e-mail with its commands.
    pub(crate) fn run(&mut self, script: &Script) -> Answer<Outcome> {
        let mut outcome = Outcome::default();
        let mut unread = Vec::new();
        let turn = match self.turn_of_answer(script) {
            Err(why @ ClubError::Refused(_)) => {
                outcome.refused(None, &why);
                None
            }
            turn => turn?,
        };
        let answers_board = self
            .answered()
            .is_some_and(|answered| answered.board.is_some());
        for own in script.lines() {
            let is_at_head = unread.is_empty();
            let is_turn = turn.is_some_and(|turn| std::ptr::eq(turn, own))
                && (is_at_head || outcome.n_commands() == 0)
                || is_at_head && self.is_agreement(own);
            let command = own.command.as_ref().filter(|_| !is_turn);
            let command = command.filter(|line| is_at_head || line.word == "move");
            if command.is_none() && !is_turn {
                unread.push(own);
                continue;
            }
            if outcome.n_commands() == MAX_COMMANDS {
                outcome.n_left_out += 1;
                continue;
            }
            let echo = command.map(|line| {
                format!(
                    "> {} {}",
                    line.word,
                    line.rest.split(' ').next().map_or("", masked)
                )
            });
            let done = self.one(|work| match command {
                Some(line) => work.execute(line),
                None => work.play_answer(&own.text),
            })?;
            match done {
                Ok(text) => outcome.done(echo, text),
                Err(_) if !is_at_head && answers_board => continue,
                Err(why) if !is_at_head => {
                    outcome.misread(echo, &why);
                    continue;
                }
                Err(why @ ClubError::Misread(_)) if !self.is_meant(command)? => {
                    outcome.misread(echo, &why);
                    continue;
                }
                Err(why) => outcome.refused(echo, &why),
            }
            // The text below belongs to the command.
            if command.is_some_and(|line| takes_text(line.word)) {
                break;
            }
        }
        outcome.drop_remarks();
        // What is wrong with the move is more than what is wrong with a remark above it.
        let is_without = outcome.n_commands() == 0 && answers_board && !unread.is_empty();
        if turn.is_some() || is_without {
            outcome.answers.retain(|part| !part.is_remark);
        }
        if outcome.n_commands() == 0 && outcome.answers.is_empty() {
            let first = unread.first().map_or("", |own| &own.text);
            match self.one(|work| work.play_answer(first))? {
                Ok(text) => outcome.done(None, text),
                Err(why) => outcome.misread(None, &why),
            }
        }
        outcome.name_unread(&self.not_copied(&unread)?);
        Ok(outcome)
    }

    /// Runs one action in a savepoint, so that it either succeeds or changes nothing. The inner error is the reason why
    /// it is not possible.
    fn one(
        &mut self,
        act: impl FnOnce(&mut Work<'a>) -> Answer<String>,
    ) -> Answer<Result<String, ClubError>> {
        self.db.execute_batch("SAVEPOINT command")?;
        self.confirmed = None;
        let done = act(self);
        if let Err(why) = &done {
            if !matches!(why, ClubError::Refused(_) | ClubError::Misread(_)) {
                return done.map(Ok);
            }
            self.db.execute_batch("ROLLBACK TO command")?;
            // The token was right although the command was not.
            if let Some(user) = self.confirmed.take() {
                self.confirm(&user)?;
            }
        }
        self.db.execute_batch("RELEASE command")?;
        Ok(done)
    }

    /// `true` if a line without the form of its command is no remark: it has a token, or only words that commands have.
    fn is_meant(&self, line: Option<&Line>) -> Answer<bool> {
        let games = self.games();
        let words = line.map_or("", |line| &line.rest).split_whitespace();
        let mut is_known = true;
        for word in words {
            if token::is_shaped(word) {
                return Ok(true);
            }
            is_known &= is_number(word)
                || word.contains('=')
                || is_address(word)
                || script::game(word, &games).is_some()
                || self.find_user(word)?.is_some();
        }
        Ok(is_known)
    }

    /// Returns the lines that are not copied from an e-mail that the message answers.
    fn not_copied<'l>(&self, lines: &[&'l OwnLine]) -> Answer<Vec<&'l OwnLine>> {
        let ids = self.incoming.map_or(&[][..], |incoming| &incoming.answers);
        let answered = outbox::texts(self.db, ids)?;
        let is_own = |own: &&OwnLine| !answered.iter().any(|text| text.contains(&own.text));
        Ok(lines.iter().copied().filter(is_own).collect())
    }

    fn execute(&mut self, line: &Line) -> Answer<String> {
        let words = Words::new(&line.rest);
        match line.word {
            "accept" => self.accept(line),
            "address" => self.change_address(line, words),
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
            "forget" => self.forget(line, words),
            "whoami" => self.who_am_i(line, words),
            word => refuse!("{word}: expected a command listed by help"),
        }
    }

    /// Answers the message. An answer to the answer concerns the same board.
    pub(crate) fn answer(&mut self, text: &str) -> Answer<()> {
        let Sender::Mail { answered, .. } = &self.sender else {
            return Ok(());
        };
        let named = self.named.first().copied();
        let board = match self.named.len() {
            0 => answered.and_then(|answered| answered.board),
            1 => named,
            _ => None,
        };
        let board = board.map(|id| self.board(id)).transpose()?;
        let to = self.reply_address();
        let user = match (&self.user, &board) {
            (Some(user), _) => Some(user.id),
            (None, Some(board)) => self.player_at(board, to)?,
            (None, None) => None,
        };
        let subject = self.incoming.map_or("", |incoming| &incoming.subject);
        let subject = wrap_lines(subject);
        let hint = if user.is_none() && !self.is_known(to)? {
            format!("\n\n{}", wrap(ONE_A_DAY))
        } else if !self.is_proven() && self.n_unproven_left(to)? == 1 {
            format!("\n\n{}", wrap(LAST_UNPROVEN))
        } else {
            String::new()
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
            to: to.to_owned(),
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

    /// Finds the sender by a token in one of the commands, which need not use it. An address that gets a new token with
    /// its change proves that it is read.
    pub(super) fn identify(&mut self, script: &Script) -> Answer<()> {
        for line in script.lines().filter_map(|own| own.command.as_ref()) {
            let words: Vec<&str> = line.rest.split_whitespace().collect();
            for (at, word) in words.iter().enumerate() {
                let Some((user, kind)) = self.owner(word)? else {
                    continue;
                };
                // The token of another user than the one before it.
                let named = at.checked_sub(1).map(|at| self.find_user(words[at]));
                let is_other = named
                    .transpose()?
                    .flatten()
                    .is_some_and(|named| named.id != user.id);
                match (&mut self.sender, kind) {
                    (
                        Sender::Mail {
                            address, is_reader, ..
                        },
                        TokenKind::New,
                    ) => *is_reader |= user.new_address.as_ref() == Some(address),
                    _ if is_other && kind == TokenKind::Board => {}
                    _ => {
                        self.shows_token = true;
                        self.user.get_or_insert(user);
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// `true` if a program may have sent the message that could not be carried out: an answer, or a message without a
    /// token.
    pub(super) fn may_be_automatic(&self) -> bool {
        let is_reply = matches!(&self.sender, Sender::Mail { answered, is_reader, .. }
            if answered.is_some() || *is_reader);
        is_reply || !self.shows_token
    }

    /// `true` if the sender of the message has shown that the answers go to an address that the sender reads.
    pub(super) fn is_proven(&self) -> bool {
        self.user.is_some()
            || matches!(
                self.sender,
                Sender::Mail {
                    is_reader: true,
                    ..
                }
            )
    }

    /// Address that the answer goes to.
    pub(super) fn reply_address(&self) -> &str {
        match (&self.user, &self.sender) {
            (Some(user), _) => &user.address,
            (None, Sender::Mail { address, .. }) => address,
            (None, Sender::Host) => "",
        }
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
        let is_proven = is_reader || own || self.is_known(to)?;
        let sent = "outbox WHERE recipient = ?1 AND at > ?2";
        if !is_proven && self.count(sent, params![to, self.now - DAY])? > 0 {
            return Ok(false);
        }
        Ok(is_reader || self.user.is_some() || self.n_unproven_left(to)? > 0)
    }

    /// Number of e-mails that messages without a token may still cause to this address now.
    fn n_unproven_left(&self, to: &str) -> Answer<i64> {
        let mut left = i64::MAX;
        for (max, period) in [(MAX_UNPROVEN_AN_HOUR, HOUR), (MAX_UNPROVEN_A_DAY, DAY)] {
            let unproven = "outbox WHERE recipient = ?1 AND at > ?2 AND cause IS NULL";
            left = left.min(max - self.count(unproven, params![to, self.now - period])?);
        }
        Ok(left)
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

/// Returns the word TOKEN in place of a token.
fn masked(word: &str) -> &str {
    match token::is_shaped(word) {
        true => "TOKEN",
        false => word,
    }
}
