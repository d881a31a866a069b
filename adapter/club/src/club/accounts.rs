//! Accounts: a name, an address, and a token; messages to users, notes on games, and who may send them: blocked users,
//! and users who get too many e-mails.

use linesman::date::moment;
use protocol::text::visible;
use rusqlite::{Params, params};

use super::{BoardState, TokenKind, Work};
use crate::user::SELECT;
use crate::{
    Answer, DAY, Draft, ENGINE_NAME, Line, User, Words, fold, is_address, is_number, letter,
    misread, new_token, refuse, script, word, wrap, wrap_lines,
};

/// Maximum length of a name in characters, and maximum number of accounts per address.
const MAX_NAME: usize = 20;
const MAX_ACCOUNTS: i64 = 5;

/// Maximum number of requests for a new address per user and day.
const MAX_NEW_ADDRESSES: i64 = 3;

/// Maximum length of a message to a user, in characters.
const MAX_TEXT: usize = 4000;

/// Maximum length of a note in characters, and maximum number of notes per game.
const MAX_NOTE: usize = 500;
const MAX_NOTES: i64 = 200;

/// Maximum number of e-mails per day from one user to another by messages, notes and challenges; e-mails about their
/// games count.
const MAX_BETWEEN_USERS: i64 = 50;

/// The row of a user who refuses challenges, messages and notes from another one.
const BLOCK: &str = "blocks WHERE user = ?1 AND other = ?2";

/// Returns a name with similar characters replaced by the same one.
fn shape(name: &str) -> String {
    let name = fold(name).replace("rn", "m").replace("vv", "w");
    let one = |c| match c {
        'i' | '1' | '\u{131}' => 'l',
        '0' => 'o',
        '\u{138}' => 'k',
        '\u{17f}' => 'f',
        c => c,
    };
    name.chars().map(one).collect()
}

impl Work<'_> {
    /// Returns the users that satisfy an SQL condition.
    pub(super) fn users_where(&self, condition: &str, params: impl Params) -> Answer<Vec<User>> {
        let mut query = self.db.prepare(&format!("{SELECT} WHERE {condition}"))?;
        Ok(query
            .query_map(params, User::read)?
            .collect::<Result<_, _>>()?)
    }

    /// Returns the user with this id.
    pub(super) fn user(&self, id: i64) -> Answer<User> {
        let found = self.users_where("id = ?1", [id])?.pop();
        Ok(found.ok_or(rusqlite::Error::QueryReturnedNoRows)?)
    }

    /// Finds a user by name, ignoring case.
    pub(super) fn find_user(&self, name: &str) -> Answer<Option<User>> {
        Ok(self.users_where("folded = ?1", [fold(name)])?.pop())
    }

    /// Returns the user of this name, unless the account is closed.
    pub(super) fn known_user(&self, name: &str) -> Answer<User> {
        match self.find_user(name)? {
            Some(user) if !user.is_gone => Ok(user),
            _ => misread!("there is no user {}", word(name)),
        }
    }

    /// Returns all users with open accounts, by name.
    pub(super) fn users(&self) -> Answer<Vec<User>> {
        self.users_where("gone = 0 ORDER BY folded", [])
    }

    /// `signup NAME`
    pub(super) fn sign_up(&mut self, mut words: Words<'_>) -> Answer<String> {
        let name = words.next().unwrap_or_default().to_owned();
        // pbmserv's `signup NAME PASSWORD ADDRESS` has an effect; "signup is easy, thank you" is a remark.
        let mut surplus = words;
        let second = surplus.by_ref().nth(1);
        if second.is_some_and(|word| !is_address(word)) || surplus.next().is_some() {
            return misread!("{} is too much: write only signup NAME", word(words.rest()));
        }
        self.check_name(&name)?;
        let address = match self.incoming {
            Some(incoming) => incoming.sender.clone(),
            None => match words.next().filter(|address| is_address(address)) {
                Some(address) => address.to_ascii_lowercase(),
                None => return refuse!("write signup NAME ADDRESS"),
            },
        };
        if let Some(user) = self.find_user(&name)? {
            if user.is_gone || user.address != address {
                return refuse!("the name {name} is already used: choose another one");
            }
            return self.mail_token(&user, words.rest()).map(|()| String::new());
        }
        self.refuse_similar(&name)?;
        let n_accounts = self.count("users WHERE address = ?1 AND gone = 0", [&address])?;
        if n_accounts >= MAX_ACCOUNTS {
            return refuse!("{address} already has {n_accounts} accounts, the maximum");
        }
        let token = new_token()?;
        self.db.execute(
            "INSERT INTO users (name, folded, address, token, created) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![name, fold(&name), address, token, self.now],
        )?;
        self.mail_token(&self.known_user(&name)?, words.rest())?;
        Ok(match self.is_host() {
            true => format!("{name} gets a token at {address}."),
            false => String::new(),
        })
    }

    fn check_name(&self, name: &str) -> Answer<()> {
        let length = name.chars().count();
        let is_letter = |c: char| {
            c.is_ascii_alphabetic() || c.is_alphabetic() && ('\u{c0}'..='\u{17f}').contains(&c)
        };
        let ends = |c: char| is_letter(c) || c.is_ascii_digit();
        let is_sound = |c: char| ends(c) || matches!(c, '-' | '_' | '.' | '\'');
        let is_word = name.starts_with(is_letter) && name.ends_with(ends);
        if !(2..=MAX_NAME).contains(&length) || !is_word || !name.chars().all(is_sound) {
            return misread!(
                "{}: write signup NAME, a word of 2 to {MAX_NAME} Latin letters and digits",
                word(name)
            );
        }
        let rest = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let is_code = name.len() - rest.len() == 1 && rest.chars().all(|c| c.is_ascii_digit());
        let is_word = script::command(name).is_some()
            || script::game(name, &self.games).is_some()
            || ["all", "next", "off", "any", "token", ENGINE_NAME].contains(&&*fold(name));
        if is_code || is_word {
            return refuse!("the name {name} is a command or a game: choose another one");
        }
        Ok(())
    }

    /// Refuses a name that looks like that of another user.
    fn refuse_similar(&self, name: &str) -> Answer<()> {
        let names: Vec<String> = self.column("SELECT name FROM users WHERE id > ?1", 0)?;
        match names.iter().find(|other| shape(other) == shape(name)) {
            Some(other) => refuse!("the name {name} looks like {other}: choose another one"),
            None => Ok(()),
        }
    }

    /// Mails the token of an account to its address. `surplus` are the words of a `signup` after the name.
    fn mail_token(&self, user: &User, surplus: &str) -> Answer<()> {
        let (name, token) = (&user.name, &user.token);
        let game = self.games.first().copied().unwrap_or("GAME");
        let intro = format!(
            "Someone, probably you, asked for an account with the name {name} at this address. If it was not you, \
             ignore this e-mail."
        );
        let how = "Keep the token below secret. A command that ends with it counts as yours, from any address, and so does \
                   every command in a reply to this e-mail. Its first use confirms the address; until then, others cannot \
                   challenge you, and new messages from you get one e-mail a day. Some commands to copy, of which the \
                   first only confirms:";
        let ignored = "The words after the name had no effect: the club makes the token, and the address is the one that \
                       you wrote from.";
        let ignored = if surplus.is_empty() { "" } else { ignored };
        let body = letter(
            &[&format!("Hello {name},"), &intro, ignored, how],
            &[
                &format!("whoami {token}"),
                &format!("challenge {game} {ENGINE_NAME} {token}"),
                &format!("challenge {game} USER {token}"),
                "help",
            ],
            token,
        );
        self.post(&Draft {
            grants_account: true,
            ..Draft::to(user, format!("Your account {name}"), body)
        })
    }

    /// `address [NEW] TOKEN`, and `address CODE`, which confirms a change from the old address.
    pub(super) fn change_address(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        // pbmserv's `change address`.
        words.next_if("address");
        if let Some((user, TokenKind::Old)) = self.owner(words.rest())? {
            return self.confirm_change(user);
        }
        let user = self.account(line, &mut words)?;
        let Some(address) = words.pop().map(str::to_ascii_lowercase) else {
            return Ok(format!("E-mails to {user} go to {}.", user.address));
        };
        words.end("address NEW TOKEN")?;
        if !is_address(&address) {
            return misread!("{} is not an address", word(&address));
        }
        let asked = "outbox WHERE cause = ?1 AND user IS NULL AND at > ?2";
        let n_asked = self.count(asked, [user.id, self.now - DAY])?;
        if !self.may_mail(&address)? || !self.is_host() && n_asked >= MAX_NEW_ADDRESSES {
            return refuse!("too many e-mails of this kind in a day: wait for a day");
        }
        let token = new_token()?;
        // The host helps users who have lost their old address.
        let code = (!self.is_host()).then(new_token).transpose()?;
        self.db.execute(
            "UPDATE users SET new_address = ?2, new_token = ?3, old_code = ?4 WHERE id = ?1",
            params![user.id, address, token, code],
        )?;
        let (subject, hello) = (format!("Your account {user}"), format!("Hello {user},"));
        let first =
            " An e-mail to the present address comes first: the change needs the command in it.";
        let first = if code.is_some() { first } else { "" };
        let how = format!(
            "The first command that ends with the new token below makes this your address, and the new token \
             replaces that of your account.{first} For example:"
        );
        // An answer to this e-mail proves nothing: the token itself must be sent.
        self.post(&Draft {
            to: address.clone(),
            subject: subject.clone(),
            body: letter(&[&hello, &how], &[&format!("address {token}")], &token),
            ..Draft::default()
        })?;
        let Some(code) = code else {
            return Ok(wrap(&format!(
                "A new token was sent to {address}. The first command with it makes this the address of {user}."
            )));
        };
        let how = format!(
            "You, or someone with your token, asked to change your address to {address}. Send the command below to \
             confirm it; then send the one in the e-mail to {address}. Until then, nothing changes. If it was not you, \
             do not send it, and replace the token of your account: token TOKEN"
        );
        // This is the answer too. An answer to it proves nothing: a mail program may send it.
        let body = letter(&[&hello, &how], &[&format!("address {code}")], "");
        self.post(&Draft::to(&user, subject, body))?;
        Ok(String::new())
    }

    fn confirm_change(&mut self, user: User) -> Answer<String> {
        self.db
            .execute("UPDATE users SET old_code = NULL WHERE id = ?1", [user.id])?;
        let new = self.authenticated(user)?.new_address.unwrap_or_default();
        Ok(wrap(&format!(
            "Confirmed. The first command with the token in the e-mail to {new} makes this your address."
        )))
    }

    /// `token TOKEN` or `token BOARD USER TOKEN`
    pub(super) fn new_token(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        if words.peek().is_some_and(is_number) {
            return self.new_board_token(line, words);
        }
        let mut user = self.account(line, &mut words)?;
        words.end("token TOKEN")?;
        user.token = new_token()?;
        self.db.execute(
            "UPDATE users SET token = ?2, new_address = NULL, new_token = NULL, old_code = NULL WHERE id = ?1",
            params![user.id, user.token],
        )?;
        let query = "UPDATE outbox SET grants_account = 0 WHERE user = ?1";
        self.db.execute(query, [user.id])?;
        self.mail_token(&user, "")?;
        self.user = Some(user);
        Ok(String::new())
    }

    /// `signoff TOKEN`
    pub(super) fn sign_off(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let user = self.account(line, &mut words)?;
        words.end("signoff TOKEN")?;
        if line.rest.is_empty() {
            return refuse!("signoff closes the account: write signoff TOKEN to confirm it");
        }
        let boards = self.open_boards(user.id)?;
        let numbers: Vec<String> = boards.iter().map(|board| board.id.to_string()).collect();
        if !numbers.is_empty() {
            let numbers = numbers.join(", ");
            return refuse!("you have games on boards {numbers}: first resign or decline each");
        }
        self.db.execute(
            "UPDATE users SET gone = 1, token = '', new_token = NULL, old_code = NULL WHERE id = ?1",
            [user.id],
        )?;
        Ok(format!("The account {user} is closed. Its games are kept."))
    }

    /// `whoami TOKEN`
    pub(super) fn who_am_i(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let user = self.account(line, &mut words)?;
        words.end("whoami TOKEN")?;
        Ok(format!("You are {user}, at {}.", user.address))
    }

    /// `message USER TOKEN`, with the text below. Neither user learns the other's address.
    pub(super) fn message(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let from = self.account(line, &mut words)?;
        let to = self.known_user(words.next().unwrap_or_default())?;
        words.end("message USER TOKEN, and the text below")?;
        self.refuse_unwanted(&from, &to)?;
        if !to.is_reachable() {
            return refuse!("{to} cannot receive e-mails");
        }
        let text = passed_on(&line.text, MAX_TEXT);
        if text.is_empty() {
            return refuse!("no text in it: write it below the command");
        }
        let how = wrap(&format!(
            "To reply, send the command   message {from} TOKEN   with your text below it."
        ));
        let text = wrap_lines(&text);
        let body = format!("{from} writes:\n\n{text}\n\n{how}\n");
        self.post(&Draft::to(&to, format!("A message from {from}"), body))?;
        Ok(format!("Your message was sent to {to}."))
    }

    /// `note BOARD USER TOKEN`, with the text after it or below: stored with the game, and mailed to the opponent.
    pub(super) fn note(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let at = self.seat(line, &mut words)?;
        let id = at.board.id;
        if !words.rest().is_empty() && !at.is_explicit {
            return misread!("note needs the number of the board: write note {id} TEXT");
        }
        let (board, user) = (at.board, at.user);
        let to = self.user(board.players[at.side.other().index()])?;
        self.refuse_unwanted(&user, &to)?;
        if !matches!(board.state, BoardState::Playing | BoardState::Over) {
            return refuse!("board {id} has no game yet");
        }
        let text = passed_on(&format!("{}\n{}", words.rest(), line.text), MAX_NOTE);
        if text.is_empty() {
            return refuse!("no text in it: write it after the command");
        }
        let n_notes = self.count("notes WHERE board = ?1", [id])?;
        if n_notes >= MAX_NOTES {
            return refuse!("board {id} already has {n_notes} notes, the maximum");
        }
        let insert = "INSERT INTO notes (board, user, at, text) VALUES (?1, ?2, ?3, ?4)";
        let row = params![id, user.id, self.now, text];
        self.db.execute(insert, row)?;
        let body = format!("{user} notes:\n\n{}\n", wrap_lines(&text));
        self.post_about(&board, &to, &format!("a note from {user}"), body)?;
        Ok(format!("Noted on board {id}."))
    }

    /// Formats the notes of a game, each with author and date.
    pub(super) fn notes(&self, board: i64) -> Answer<String> {
        let mut query = self.db.prepare(
            "SELECT name, at, text FROM notes JOIN users ON users.id = user WHERE board = ?1 ORDER BY notes.id",
        )?;
        let notes = query.query_map([board], |row| {
            let (name, at, text): (String, i64, String) = row.try_into()?;
            let text = wrap_lines(&text);
            Ok(format!("\n\n{name}, {}:\n{text}", moment(at)))
        })?;
        let notes: Vec<String> = notes.collect::<Result<_, _>>()?;
        Ok(notes.concat())
    }

    /// `block USER TOKEN`, `unblock USER TOKEN`
    pub(super) fn block(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let user = self.account(line, &mut words)?;
        let other = self.known_user(words.next().unwrap_or_default())?;
        words.end(&format!("{} USER TOKEN", line.word))?;
        if other.id == user.id || other.is_engine() {
            return refuse!("{other}: name another user");
        }
        let pair = [user.id, other.id];
        if line.word == "block" {
            let insert = "INSERT OR REPLACE INTO blocks VALUES (?1, ?2)";
            self.db.execute(insert, pair)?;
            return Ok(format!(
                "{other} can no longer challenge you or write to you."
            ));
        }
        Ok(match self.delete(BLOCK, pair)? {
            0 => format!("You did not block {other}."),
            _ => format!("{other} can challenge you and write to you again."),
        })
    }

    /// Refuses a challenge, message or note to a user who has blocked its sender, or who gets too many.
    pub(super) fn refuse_unwanted(&self, from: &User, to: &User) -> Answer<()> {
        if self.count(BLOCK, [to.id, from.id])? > 0 {
            return refuse!("{to} takes no challenges and messages from {from}");
        }
        self.refuse_flood(from, to)
    }

    /// Refuses a command that mails a user who has got many e-mails caused by the same sender.
    pub(super) fn refuse_flood(&self, from: &User, to: &User) -> Answer<()> {
        let sent = "outbox WHERE cause = ?1 AND user = ?2 AND at > ?3";
        let n_sent = self.count(sent, [from.id, to.id, self.now - DAY])?;
        if n_sent >= MAX_BETWEEN_USERS {
            return refuse!("{n_sent} e-mails of yours went to {to} within a day: wait");
        }
        Ok(())
    }
}

/// Cleans a text that is passed to other users: removes invisible characters and cuts it to `max` characters.
fn passed_on(text: &str, max: usize) -> String {
    let lines: Vec<String> = text.lines().map(visible).collect();
    let text: String = lines.join("\n").chars().take(max).collect();
    text.trim().to_owned()
}
