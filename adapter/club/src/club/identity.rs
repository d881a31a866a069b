//! The sender of a command: known by a token, by the e-mail that it answers, or by the mail server's word.

use protocol::text::excerpt;
use rusqlite::params;

use super::Work;
use crate::{Answer, Line, OwnLine, User, Words, fold, is_same_token, is_token, misread, refuse};

/// The thing that a token opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Account,
    /// An account, with the address that the token was mailed to.
    New,
    /// A player at a board.
    Board,
    /// A user, as the word that confirms a change of address from the old one.
    Old,
}

impl TokenKind {
    const ALL: [TokenKind; 4] = [Self::Account, Self::New, Self::Board, Self::Old];
}

/// Returns a command with the word TOKEN in place of its token.
fn with_token(line: &Line) -> String {
    let mut words: Vec<&str> = line.rest.split_whitespace().collect();
    words.pop_if(|last| is_token(last));
    let words = line.game.into_iter().chain([line.word]).chain(words);
    let words: Vec<&str> = words.collect();
    format!("{} TOKEN", excerpt(&words.join(" ")))
}

impl Work<'_> {
    /// Returns the user that a token belongs to. All tokens are compared, so that the time reveals nothing about near
    /// matches.
    pub(super) fn owner(&self, word: &str) -> Answer<Option<(User, TokenKind)>> {
        let mut tokens = self.db.prepare(
            "SELECT token, id, 0 FROM users UNION ALL SELECT new_token, id, 1 FROM users WHERE new_token IS NOT NULL
             UNION ALL SELECT token1, p1, 2 FROM boards UNION ALL SELECT token2, p2, 2 FROM boards
             UNION ALL SELECT old_code, id, 3 FROM users WHERE old_code IS NOT NULL",
        )?;
        let tokens = tokens.query_map([], |row| row.try_into())?;
        let mut found = None;
        for token in tokens {
            let (token, id, kind): (String, i64, usize) = token?;
            if is_same_token(&token, word) {
                found = Some((id, TokenKind::ALL[kind]));
            }
        }
        let Some((id, kind)) = found else {
            return Ok(None);
        };
        let user = Some(self.user(id)?);
        let user = user.filter(|user| !user.is_engine() && !user.is_gone);
        Ok(user.map(|user| (user, kind)))
    }

    /// Authenticates a command without a board: by the account token as its last word, or by the e-mail that it answers.
    pub(super) fn account(&mut self, line: &Line, words: &mut Words<'_>) -> Answer<User> {
        if self.is_host() {
            return self.known_user(words.pop().unwrap_or_default());
        }
        let mut left = *words;
        let last = left.pop().unwrap_or_default();
        if let Some((user, kind @ (TokenKind::Account | TokenKind::New))) = self.owner(last)? {
            *words = left;
            return match kind {
                TokenKind::New => self.change_confirmed(user),
                _ => self.authenticated(user),
            };
        }
        let granted = self.answered.filter(|answered| answered.grants_account);
        let granted = granted.map(|answered| answered.user);
        let authentic = match self.authentic[..] {
            [one] => Some(one),
            _ => None,
        };
        match granted.or(authentic) {
            Some(id) => self.authenticated(self.user(id)?),
            None => misread!(
                "it does not end with the token of an account. Send \"{}\", with the token in the e-mail that answered \
                 signup",
                with_token(line)
            ),
        }
    }

    /// Removes the token, or `USER TOKEN` after other words, from a command that needs none. It shows who asks.
    pub(super) fn skip_token(&mut self, words: &mut Words<'_>) -> Answer<()> {
        let mut left = *words;
        let Some((user, kind)) = self.owner(left.pop().unwrap_or_default())? else {
            return Ok(());
        };
        if matches!(kind, TokenKind::New | TokenKind::Old) {
            return Ok(());
        }
        let mut before = left;
        if fold(before.pop().unwrap_or_default()) == fold(&user.name) && !before.rest().is_empty() {
            left = before;
        }
        *words = left;
        self.authenticated(user).map(drop)
    }

    /// Finds the sender by a token in one of the commands, which need not use it. An address that gets a new token with
    /// its change proves that it is read.
    pub(super) fn identify(&mut self, script: &[OwnLine]) -> Answer<()> {
        for line in script.iter().filter_map(|own| own.command.as_ref()) {
            let mut before = "";
            for word in line.rest.split_whitespace() {
                let previous = std::mem::replace(&mut before, word);
                let Some((user, kind)) = self.owner(word)? else {
                    continue;
                };
                // The token of another user than the one before it.
                let named = self.find_user(previous)?;
                let is_other = named.is_some_and(|named| named.id != user.id);
                match kind {
                    TokenKind::New => {
                        self.is_reader |= user.new_address.as_deref() == Some(self.sender());
                    }
                    TokenKind::Old => {}
                    TokenKind::Board if is_other => {}
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

    /// Records the user that a token has authenticated. The first use of a token confirms the address that it was
    /// mailed to.
    pub(super) fn authenticated(&mut self, mut user: User) -> Answer<User> {
        if user.is_gone {
            return refuse!("the account is closed");
        }
        if !user.is_confirmed {
            user.is_confirmed = true;
            self.confirm(&user)?;
            self.confirmed = Some(user.clone());
        }
        self.user = Some(user.clone());
        Ok(user)
    }

    /// Stores that the address of a user is confirmed.
    pub(super) fn confirm(&self, user: &User) -> Answer<()> {
        self.db.execute(
            "UPDATE users SET address = ?2, token = ?3, new_address = ?4, new_token = ?5, confirmed = 1 WHERE id = ?1",
            params![user.id, user.address, user.token, user.new_address, user.new_token],
        )?;
        Ok(())
    }

    /// Changes the address of a user who has sent the token that was mailed to the new one.
    fn change_confirmed(&mut self, mut user: User) -> Answer<User> {
        if self.count("users WHERE id = ?1 AND old_code IS NOT NULL", [user.id])? > 0 {
            return refuse!(
                "the change is not confirmed from your old address yet: send the command in the e-mail to it, then this \
                 one again"
            );
        }
        if let (Some(address), Some(token)) = (user.new_address.take(), user.new_token.take()) {
            (user.address, user.token, user.is_confirmed) = (address, token, false);
        }
        self.authenticated(user)
    }
}
