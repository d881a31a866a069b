//! Accounts: a name, an address, and a token.

use rusqlite::{OptionalExtension, params};

use super::identity::TokenKind;
use super::work::Work;
use crate::email::{letter, wrap};
use crate::error::{Answer, misread, refuse};
use crate::message::is_address;
use crate::outbox::Draft;
use crate::script::{self, Line, Words, is_number, word};
use crate::store::{DAY, ENGINE_NAME};
use crate::user::{COLUMNS, User, fold, new_token};

/// Maximum length of a name in characters, and maximum number of accounts per address.
const MAX_NAME: usize = 20;
const MAX_ACCOUNTS: i64 = 5;

/// Maximum number of requests for a new address per user and day.
const MAX_NEW_ADDRESSES: i64 = 3;

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
    /// Returns the user with this id.
    pub(super) fn user(&self, id: i64) -> Answer<User> {
        let query = format!("SELECT {COLUMNS} FROM users WHERE id = ?1");
        Ok(self.db.query_row(&query, [id], User::read)?)
    }

    /// Finds a user by name, ignoring case.
    pub(super) fn find_user(&self, name: &str) -> Answer<Option<User>> {
        let query = format!("SELECT {COLUMNS} FROM users WHERE folded = ?1");
        let found = self.db.query_row(&query, [fold(name)], User::read);
        Ok(found.optional()?)
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
        let query = format!("SELECT {COLUMNS} FROM users WHERE gone = 0 ORDER BY folded");
        let mut query = self.db.prepare(&query)?;
        Ok(query.query_map([], User::read)?.collect::<Result<_, _>>()?)
    }

    /// `signup NAME`
    pub(super) fn sign_up(&mut self, mut words: Words<'_>) -> Answer<String> {
        let name = words.next().unwrap_or_default().to_owned();
        // pbmserv's `signup NAME PASSWORD ADDRESS` has an effect; "signup is easy, thank you" is a remark.
        let mut surplus = words;
        let second = surplus.by_ref().nth(1);
        if second.is_some_and(|word| !is_address(word)) || surplus.next().is_some() {
            return misread!("{}: expected only signup NAME", word(words.rest()));
        }
        self.check_name(&name)?;
        let address = match self.incoming {
            Some(incoming) => incoming.sender.clone(),
            None => match words.next().filter(|address| is_address(address)) {
                Some(address) => address.to_ascii_lowercase(),
                None => return refuse!("expected signup NAME ADDRESS"),
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
        let user = self.known_user(&name)?;
        self.mail_token(&user, words.rest())?;
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
                "{}: expected signup NAME, a word of 2 to {MAX_NAME} Latin letters and digits",
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
            return misread!("{}: expected an address", word(&address));
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
        let user = self.authenticated(user)?;
        let new = user.new_address.unwrap_or_default();
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
}
