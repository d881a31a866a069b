//! Accounts: a name, an address, and the token that authenticates commands.

use rusqlite::{OptionalExtension, params};

use super::user::{COLUMNS, User};
use super::work::{Sender, Work};
use crate::email::wrap;
use crate::error::{Answer, refuse};
use crate::message::is_address;
use crate::outbox::Draft;
use crate::script::{self, Line, Words, is_number, word};
use crate::store::ENGINE_NAME;
use crate::token;

/// Maximum length of a name in characters, and maximum number of accounts per address.
const MAX_NAME: usize = 20;
const MAX_ACCOUNTS: i64 = 5;

/// Returns the case-insensitive form of a name.
fn fold(name: &str) -> String {
    name.to_lowercase()
}

impl Work<'_> {
    /// Returns the user with this id.
    pub(crate) fn user(&self, id: i64) -> Answer<User> {
        let query = format!("SELECT {COLUMNS} FROM users WHERE id = ?1");
        Ok(self.db.query_row(&query, [id], User::read)?)
    }

    /// Finds a user by name, ignoring case.
    pub(crate) fn find_user(&self, name: &str) -> Answer<Option<User>> {
        let query = format!("SELECT {COLUMNS} FROM users WHERE folded = ?1");
        let found = self.db.query_row(&query, [fold(name)], User::read);
        Ok(found.optional()?)
    }

    /// Returns the user of this name, unless the account is closed.
    pub(crate) fn known_user(&self, name: &str) -> Answer<User> {
        match self.find_user(name)? {
            Some(user) if !user.is_gone => Ok(user),
            _ => refuse!("there is no user {}", word(name)),
        }
    }

    /// Returns all users with open accounts, by name.
    pub(super) fn users(&self) -> Answer<Vec<User>> {
        let query = format!("SELECT {COLUMNS} FROM users WHERE gone = 0 ORDER BY folded");
        let mut query = self.db.prepare(&query)?;
        let users = query.query_map([], User::read)?;
        Ok(users.collect::<Result<_, _>>()?)
    }

    /// Authenticates a command without a board: by the account token as its last word, or by the e-mail that it answers.
    pub(super) fn account(&mut self, words: &mut Words<'_>) -> Answer<User> {
        if self.is_host() {
            let name = words.pop().unwrap_or_default();
            return self.known_user(name);
        }
        let mut left = *words;
        let last = left.pop().unwrap_or_default();
        // All tokens are compared, so that the time reveals nothing about near matches.
        let mut found = None;
        for user in self.users()?.into_iter().filter(|user| !user.is_engine()) {
            let is_new = user
                .new_token
                .as_deref()
                .is_some_and(|new| token::is_same(new, last));
            if token::is_same(&user.token, last) || is_new {
                found = Some((user, is_new));
            }
        }
        if let Some((user, is_new)) = found {
            *words = left;
            return self.authenticated(user, is_new);
        }
        match self.answered() {
            Some(answered) if answered.grants_account => {
                let user = self.user(answered.user)?;
                self.authenticated(user, false)
            }
            _ => refuse!(
                "it does not end with the token of an account: expected the token from the e-mail to signup, as in: \
                 challenge susan bob TOKEN"
            ),
        }
    }

    /// Records the user that a token has authenticated. The first use of a token confirms the address that it was
    /// mailed to.
    pub(super) fn authenticated(&mut self, mut user: User, is_new: bool) -> Answer<User> {
        if user.is_gone {
            return refuse!("the account is closed");
        }
        if is_new
            && let (Some(address), Some(token)) = (user.new_address.take(), user.new_token.take())
        {
            self.db.execute(
                "UPDATE users SET address = ?2, token = ?3, new_address = NULL, new_token = NULL, confirmed = 1 WHERE id = ?1",
                params![user.id, address, token],
            )?;
            (user.address, user.token, user.is_confirmed) = (address, token, true);
        }
        if !user.is_confirmed {
            self.db
                .execute("UPDATE users SET confirmed = 1 WHERE id = ?1", [user.id])?;
            user.is_confirmed = true;
        }
        self.user = Some(user.clone());
        Ok(user)
    }

    /// `signup NAME`
    pub(super) fn sign_up(&mut self, line: &Line) -> Answer<String> {
        let mut words = Words::new(&line.rest);
        let name = words.next().unwrap_or_default().to_owned();
        self.check_name(&name)?;
        let address = match &self.sender {
            Sender::Mail { address, .. } => address.clone(),
            Sender::Host => match words.next().filter(|address| is_address(address)) {
                Some(address) => address.to_ascii_lowercase(),
                None => return refuse!("expected signup NAME ADDRESS"),
            },
        };
        if let Some(user) = self.find_user(&name)? {
            if user.is_gone || user.address != address {
                return refuse!("the name {name} is already used: expected another one");
            }
            self.mail_token(&user, &user.token, &user.address)?;
            return Ok(String::new());
        }
        let n_accounts = self.count("users WHERE address = ?1 AND gone = 0", [&address])?;
        if n_accounts >= MAX_ACCOUNTS {
            return refuse!("{address} already has {n_accounts} accounts, the maximum");
        }
        let token = token::new()?;
        self.db.execute(
            "INSERT INTO users (name, folded, address, token, created) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![name, fold(&name), address, token, self.now],
        )?;
        let user = self.known_user(&name)?;
        self.mail_token(&user, &token, &address)?;
        Ok(match self.is_host() {
            true => format!("{name} gets a token at {address}."),
            false => String::new(),
        })
    }

    fn check_name(&self, name: &str) -> Answer<()> {
        let length = name.chars().count();
        let is_sound = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '\'');
        let begins = name.chars().next().is_some_and(char::is_alphabetic);
        if !(2..=MAX_NAME).contains(&length) || !begins || !name.chars().all(is_sound) {
            return refuse!(
                "{}: expected signup NAME, a word of 2 to {MAX_NAME} letters and digits",
                word(name)
            );
        }
        let rest = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let is_code = name.len() - rest.len() == 1 && rest.chars().all(|c| c.is_ascii_digit());
        let games = self.games();
        let is_word = script::command(name).is_some()
            || script::game(name, &games).is_some()
            || ["all", "next", "off", "any", "token", ENGINE_NAME].contains(&&*fold(name));
        if is_code || is_word {
            return refuse!(
                "the name {name} is a command, a game or a word of one: expected another name"
            );
        }
        Ok(())
    }

    /// Mails an account token to an address.
    fn mail_token(&self, user: &User, token: &str, address: &str) -> Answer<()> {
        let name = &user.name;
        let games = self.games();
        let game = games.first().copied().unwrap_or("GAME");
        let intro = wrap(&format!(
            "Someone, probably you, asked for an account with the name {name} at this address. If it was not you, \
             ignore this e-mail."
        ));
        let how = wrap(
            "Keep the token below secret. A command that ends with it counts as yours, from any address, and so does \
             every command in a reply to this e-mail. Its first use confirms the address. Some commands to copy:",
        );
        let body = format!(
            "Hello {name},\n\n{intro}\n\n{how}\n\n    challenge {game} {ENGINE_NAME} {token}\n    challenge {game} USER {token}\n    \
             help\n\nToken: {token}\n"
        );
        self.post(&Draft {
            to: address.to_owned(),
            user: Some(user.id),
            grants_account: true,
            subject: format!("Your account {name}"),
            body,
            ..Draft::default()
        })
    }

    /// `address [NEW] TOKEN`
    pub(super) fn change_address(&mut self, line: &Line) -> Answer<String> {
        let mut words = Words::new(&line.rest);
        // pbmserv's `change address`.
        words.next_if("address");
        let user = self.account(&mut words)?;
        let Some(address) = words.pop().map(str::to_ascii_lowercase) else {
            return Ok(format!("E-mails to {} go to {}.", user.name, user.address));
        };
        if !is_address(&address) {
            return refuse!("{}: expected an address", word(&address));
        }
        let token = token::new()?;
        self.db.execute(
            "UPDATE users SET new_address = ?2, new_token = ?3 WHERE id = ?1",
            params![user.id, address, token],
        )?;
        let body = format!(
            "Hello {},\n\n{}\n\n    address {token}\n\nToken: {token}\n",
            user.name,
            wrap(
                "The first command that ends with the new token below makes this your address, and the new token \
                 replaces that of your account. For example:"
            ),
        );
        // An answer to this e-mail proves nothing: the token itself must be sent.
        self.post(&Draft {
            to: address.clone(),
            subject: format!("Your account {}", user.name),
            body,
            ..Draft::default()
        })?;
        Ok(wrap(&format!(
            "A new token was sent to {address}. The first command with it makes this your address."
        )))
    }

    /// `token TOKEN` or `token BOARD USER TOKEN`
    pub(super) fn new_token(&mut self, line: &Line) -> Answer<String> {
        let mut words = Words::new(&line.rest);
        if words.peek().is_some_and(is_number) {
            return self.new_board_token(line);
        }
        let mut user = self.account(&mut words)?;
        user.token = token::new()?;
        self.db.execute(
            "UPDATE users SET token = ?2 WHERE id = ?1",
            params![user.id, user.token],
        )?;
        self.db.execute(
            "UPDATE outbox SET grants_account = 0 WHERE user = ?1",
            [user.id],
        )?;
        self.mail_token(&user, &user.token, &user.address)?;
        self.user = Some(user);
        Ok(String::new())
    }

    /// `signoff TOKEN`
    pub(super) fn sign_off(&mut self, line: &Line) -> Answer<String> {
        let user = self.account(&mut Words::new(&line.rest))?;
        let boards = self.open_boards(user.id)?;
        if !boards.is_empty() {
            let numbers: Vec<String> = boards.iter().map(|board| board.id.to_string()).collect();
            return refuse!(
                "you have games on boards {}: expected resign or decline for each first",
                numbers.join(", ")
            );
        }
        self.db.execute(
            "UPDATE users SET gone = 1, token = '', new_token = NULL WHERE id = ?1",
            [user.id],
        )?;
        self.delete("watchers WHERE user = ?1", [user.id])?;
        Ok(format!(
            "The account {} is closed. Its games are kept.",
            user.name
        ))
    }

    /// `whoami TOKEN`
    pub(super) fn who_am_i(&mut self, line: &Line) -> Answer<String> {
        let user = self.account(&mut Words::new(&line.rest))?;
        Ok(format!("You are {}, at {}.", user.name, user.address))
    }

    /// Deletes accounts whose address has not been confirmed within this age, in seconds.
    pub(super) fn forget_unconfirmed(&self, age: i64) -> Answer<()> {
        self.db.execute(
            "DELETE FROM users WHERE confirmed = 0 AND created < ?1
             AND id NOT IN (SELECT p1 FROM boards UNION SELECT p2 FROM boards)",
            [self.now - age],
        )?;
        Ok(())
    }
}
