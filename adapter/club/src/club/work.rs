//! One transaction: the sender of commands, their execution one by one, and the text of the answer.

use std::collections::BTreeSet;

use protocol::text::excerpt;
use record::game_spec::GameSpec;
use record::registry::Rules;
use referee::host::Host;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Params, ToSql};

use crate::{
    Answer, Answered, ClubError, Draft, Incoming, Line, OwnLine, Sent, User, Words, is_address,
    is_number, is_token, misread, refuse, script, store, takes_text, word, wrap, wrap_lines,
};

/// Hint in answers to an address without a confirmed account.
const ONE_A_DAY: &str = "An address without a confirmed account gets one e-mail a day. For more, reply to this \
                         e-mail.";

/// Hint in the last answer before the limit.
const LAST_UNPROVEN: &str = "This is the last answer for now to messages without a token, since others could send them \
                             with your address: at most five an hour and 20 a day are answered. To get more, reply to \
                             this e-mail, or end the command with your token.";

/// A transaction, and the message that it processes.
pub(crate) struct Work<'a> {
    pub(super) db: &'a Connection,
    pub(super) host: &'a Host,
    /// The names of all games.
    pub(super) games: Vec<&'static str>,
    /// Unix time in seconds.
    pub(super) now: i64,
    /// The message. `None` for the host: a process with write access to the store, which names users without giving
    /// tokens.
    pub(super) incoming: Option<&'a Incoming>,
    /// The club's e-mails that the message answers, and what an answer to them implies.
    pub(super) sent: Vec<Sent>,
    pub(super) answered: Option<Answered>,
    /// `true` if it answers an e-mail to the address that it claims to come from.
    pub(super) is_reader: bool,
    /// The club's address.
    pub(super) own: String,
    /// The authenticated user. Answers go to this user's address, not to the claimed sender.
    pub(super) user: Option<User>,
    /// The users at the sender's address, if the mail server has verified it.
    pub(super) authentic: Vec<i64>,
    /// The user whose address the current command has confirmed.
    pub(super) confirmed: Option<User>,
    /// `true` if a command of the message contains a token that is right.
    pub(super) shows_token: bool,
    /// `true` if nothing in the message could be carried out, and a program may have sent it.
    pub(super) is_refused: bool,
    /// The boards that the commands named.
    pub(super) named: BTreeSet<i64>,
}

impl<'a> Work<'a> {
    /// Begins the work of the host, or of a message that is set later. `now` is in Unix seconds.
    pub(super) fn new(db: &'a Connection, host: &'a Host, now: i64) -> Answer<Work<'a>> {
        Ok(Work {
            db,
            host,
            games: host
                .registry
                .games()
                .iter()
                .map(|entry| entry.name)
                .collect(),
            now,
            incoming: None,
            sent: Vec::new(),
            answered: None,
            is_reader: false,
            own: store::get(db, "address")?,
            user: None,
            authentic: Vec::new(),
            confirmed: None,
            shows_token: false,
            is_refused: false,
            named: BTreeSet::new(),
        })
    }

    /// Returns the game that a word names.
    pub(super) fn game_named(&self, text: &str) -> Answer<&'static str> {
        let known = self.games.join(", ");
        script::game(text, &self.games)
            .map_or_else(|| misread!("no game {}: choose {known}", word(text)), Ok)
    }

    /// Returns the rules of a game with its options.
    pub(super) fn rules(&self, spec: &GameSpec) -> Answer<Rules> {
        let rules = self.host.registry.rules(spec);
        match rules.map_err(|error| ClubError::Refused(error.to_string()))? {
            Some(rules) => Ok(rules),
            None => refuse!("it has no rules: choose one of the club's games"),
        }
    }

    pub(super) fn is_host(&self) -> bool {
        self.incoming.is_none()
    }

    /// The address that the message claims to come from, which alone grants nothing.
    pub(super) fn sender(&self) -> &str {
        self.incoming.map_or("", |incoming| &incoming.sender)
    }

    /// The board that the answered e-mail is about.
    pub(super) fn answered_board(&self) -> Option<i64> {
        self.answered?.board.map(|(id, _)| id)
    }

    /// `true` if the authenticated user has this address.
    pub(super) fn is_users(&self, address: &str) -> bool {
        let user = self.user.as_ref();
        user.is_some_and(|user| user.address == address)
    }

    /// Carries out the commands at the head of a message one by one, and the move in an answer. A command that fails
    /// changes nothing, and the next ones still run. Below a line that is no command, only moves count: the text there
    /// may be a copy of an e-mail with its commands.
    pub(super) fn run(&mut self, script: &[OwnLine]) -> Answer<Outcome> {
        let mut outcome = Outcome::default();
        let mut unread = Vec::new();
        let turn = self.turn_of_answer(script).or_else(|why| match why {
            ClubError::Refused(_) => {
                outcome.not_done(None, &why, false);
                Ok(None)
            }
            why => Err(why),
        })?;
        let answers_board = self.answered_board().is_some();
        for own in script {
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
                let first = line.rest.split(' ').next().map_or("", masked);
                format!("> {} {first}", line.word)
            });
            match self.one(|work| match command {
                Some(line) => work.execute(line),
                None => work.play_answer(&own.text),
            })? {
                Ok(text) => outcome.done(echo, text),
                Err(_) if !is_at_head && answers_board => continue,
                Err(why) => {
                    let has_no_form = matches!(why, ClubError::Misread(_));
                    let is_remark = !is_at_head || has_no_form && !self.is_meant(command)?;
                    outcome.not_done(echo, &why, is_remark);
                    if is_remark {
                        continue;
                    }
                }
            }
            // The text below belongs to the command.
            if command.is_some_and(|line| takes_text(line.word)) {
                break;
            }
        }
        // Remarks need no answer if the message is carried out.
        if outcome.n_commands() > 0 && outcome.answers.iter().all(|part| part.is_remark) {
            outcome.answers.clear();
        }
        // An error of the move matters more than one of a remark above it.
        let is_without = outcome.n_commands() == 0 && answers_board && !unread.is_empty();
        if turn.is_some() || is_without {
            outcome.answers.retain(|part| !part.is_remark);
        }
        if outcome.n_commands() == 0 && outcome.answers.is_empty() {
            let first = unread.first().map_or("", |own| &own.text);
            match self.one(|work| work.play_answer(first))? {
                Ok(text) => outcome.done(None, text),
                Err(why) => outcome.not_done(None, &why, true),
            }
        }
        outcome.name_unread(&self.not_copied(&unread));
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
        let words = line.map_or("", |line| &line.rest).split_whitespace();
        let mut is_known = true;
        for word in words {
            if is_token(word) {
                return Ok(true);
            }
            is_known &= is_number(word)
                || word.contains('=')
                || is_address(word)
                || script::game(word, &self.games).is_some()
                || self.find_user(word)?.is_some();
        }
        Ok(is_known)
    }

    /// Returns the lines that are not copied from an e-mail that the message answers.
    fn not_copied<'l>(&self, lines: &[&'l OwnLine]) -> Vec<&'l OwnLine> {
        let emails: Vec<_> = self
            .sent
            .iter()
            .map(|email| String::from_utf8_lossy(&email.raw))
            .collect();
        let is_own = |own: &&OwnLine| !emails.iter().any(|text| text.contains(&own.text));
        lines.iter().copied().filter(is_own).collect()
    }

    fn execute(&mut self, line: &Line) -> Answer<String> {
        let mut words = Words::new(&line.rest);
        let is_public = "games help history players ratings show standings";
        if is_public.split(' ').any(|word| word == line.word) {
            self.skip_token(&mut words)?;
        }
        match line.word {
            "accept" => self.accept(line),
            "address" => self.change_address(line, words),
            "block" | "unblock" => self.block(line, words),
            "challenge" => self.challenge(line, words),
            "decline" => self.decline(line),
            "delete" => self.delete_board(line, words),
            "games" => self.list_games(line, words),
            "help" => self.help(line, words),
            "history" => self.history(line, words),
            "message" => self.message(line, words),
            "note" => self.note(line, words),
            "players" => self.list_players(words),
            "queue" => self.queue(line, words),
            "show" => self.show(line, words),
            "signoff" => self.sign_off(line, words),
            "signup" => self.sign_up(words),
            "standings" | "ratings" => self.standings(line, words),
            "token" => self.new_token(line, words),
            "forget" => self.forget(line, words),
            "whoami" => self.who_am_i(line, words),
            _ => self.make_move(line, words),
        }
    }

    /// Answers the message. An answer to the answer concerns the same board.
    pub(super) fn answer(&mut self, text: &str) -> Answer<()> {
        let board = match self.named.len() {
            0 => self.answered_board(),
            1 => self.named.first().copied(),
            _ => None,
        };
        let board = board.map(|id| self.board(id)).transpose()?;
        let to = self.reply_address();
        let user = match (&self.user, &board) {
            (Some(user), _) => Some(user.id),
            (None, Some(board)) => self.player_at(board, to)?,
            (None, None) => None,
        };
        let subject = wrap_lines(self.incoming.map_or("", |incoming| &incoming.subject));
        let hint = if user.is_none() && !self.is_known(to)? {
            format!("\n\n{}", wrap(ONE_A_DAY))
        } else if !self.is_proven() && self.n_unproven_left(to)? == 1 {
            format!("\n\n{}", wrap(LAST_UNPROVEN))
        } else {
            String::new()
        };
        let subject = match script::read_line(&subject, &self.games) {
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
    pub(super) fn is_known(&self, address: &str) -> Answer<bool> {
        let known = "users WHERE address = ?1 AND confirmed = 1 AND gone = 0";
        Ok(self.count(known, [address])? > 0)
    }

    /// `true` if the sender of the message has shown that the answers go to an address that the sender reads.
    pub(super) fn is_proven(&self) -> bool {
        self.user.is_some() || self.is_reader
    }

    /// Address that the answer goes to.
    pub(super) fn reply_address(&self) -> &str {
        let user = self.user.as_ref();
        user.map_or_else(|| self.sender(), |user| user.address.as_str())
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

/// Maximum number of commands per message.
pub(super) const MAX_COMMANDS: usize = 20;

/// Maximum number of lines without effect that an answer names.
const MAX_UNREAD: usize = 5;

/// The part of an answer that is about one line of the message.
#[derive(Debug)]
pub(super) struct AnswerPart {
    /// The command, shown if there are other parts.
    echo: Option<String>,
    text: String,
    /// `true` if the line begins like a command and may be a remark.
    pub(super) is_remark: bool,
}

/// Result of the commands of a message.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) answers: Vec<AnswerPart>,
    /// Number of commands beyond [`MAX_COMMANDS`].
    pub(super) n_left_out: usize,
    /// Number of commands and moves that were carried out, and of those that were not.
    pub(super) n_done: usize,
    n_refused: usize,
}

impl Outcome {
    pub(super) fn done(&mut self, echo: Option<String>, text: String) {
        self.n_done += 1;
        if !text.is_empty() {
            self.say(echo, text, false);
        }
    }

    /// Notes why a line had no effect; it may be a remark.
    pub(super) fn not_done(&mut self, echo: Option<String>, why: &ClubError, is_remark: bool) {
        self.n_refused += usize::from(!is_remark);
        let why = why.to_string();
        let text = wrap(&format!("Not done: {}.", why.trim_end_matches('.')));
        self.say(echo, text, is_remark);
    }

    fn say(&mut self, echo: Option<String>, text: String, is_remark: bool) {
        self.answers.push(AnswerPart {
            echo,
            text,
            is_remark,
        });
    }

    pub(super) fn n_commands(&self) -> usize {
        self.n_done + self.n_refused
    }

    /// `true` if all commands were carried out.
    pub(super) fn is_done(&self) -> bool {
        self.n_refused == 0 && self.n_done > 0
    }

    /// Names the lines without effect: if there is an answer anyway, or if there are commands among them.
    pub(super) fn name_unread(&mut self, lines: &[&OwnLine]) {
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
        self.say(None, format!("{intro}\n{shown}{more}"), false);
    }

    /// Returns the answer; empty if the e-mails about the boards say all.
    pub(super) fn text(&self) -> String {
        let is_single = self.n_commands() <= 1 && self.answers.len() == 1;
        let parts = self.answers.iter().map(|part| match &part.echo {
            Some(echo) if !is_single => format!("{}\n\n{}", echo.trim_end(), part.text),
            _ => part.text.clone(),
        });
        let n = self.n_left_out;
        let parts: Vec<String> = parts.chain((n > 0).then_some(format!(
            "Not done: the last {n} of these commands. A message has at most {MAX_COMMANDS}: send them in another one."
        ))).collect();
        parts.join("\n\n")
    }
}

/// Returns the word TOKEN in place of a token.
pub(super) fn masked(word: &str) -> &str {
    match is_token(word) {
        true => "TOKEN",
        false => word,
    }
}
