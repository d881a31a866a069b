//! Users of the club, and tokens: random words that authenticate the sender of a command.

use std::fmt;

use rusqlite::Row;
use table::token;

use crate::{Answer, ClubError, ENGINE_NAME};

/// A user with an account.
#[derive(Debug, Clone)]
pub(crate) struct User {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) token: String,
    /// Requested new address, and the token sent to it.
    pub(crate) new_address: Option<String>,
    pub(crate) new_token: Option<String>,
    pub(crate) is_confirmed: bool,
    pub(crate) is_gone: bool,
}

/// The query of rows that [`User::read`] reads.
pub(crate) const SELECT: &str =
    "SELECT id, name, address, token, new_address, new_token, confirmed, gone FROM users";

impl User {
    pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<User> {
        Ok(User {
            id: row.get(0)?,
            name: row.get(1)?,
            address: row.get(2)?,
            token: row.get(3)?,
            new_address: row.get(4)?,
            new_token: row.get(5)?,
            is_confirmed: row.get(6)?,
            is_gone: row.get(7)?,
        })
    }

    pub(crate) fn is_engine(&self) -> bool {
        self.name == ENGINE_NAME
    }

    /// Returns `true` if the user receives e-mail.
    pub(crate) fn is_reachable(&self) -> bool {
        !self.is_engine() && self.is_confirmed && !self.is_gone
    }
}

/// Writes the name.
impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Returns the case-insensitive form of a name.
pub(crate) fn fold(name: &str) -> String {
    name.to_lowercase()
}

/// Length of a token that people copy from a message: 80 bits.
const TOKEN_LENGTH: usize = 16;

/// Generates a token.
///
/// # Errors
/// The system provides no random numbers.
pub(crate) fn new_token() -> Answer<String> {
    token::random_word::<TOKEN_LENGTH>().map_err(|error| ClubError::Other(error.to_string()))
}

/// Compares a word with a token, ignoring case, in constant time.
pub(crate) fn is_same_token(token: &str, word: &str) -> bool {
    token::is_same(token, &word.to_ascii_lowercase())
}

/// `true` if a word looks like a token, right or wrong.
pub(crate) fn is_token(word: &str) -> bool {
    word.len() == TOKEN_LENGTH && word.chars().all(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_its_own_alone() {
        let (one, other) = (new_token().expect("random"), new_token().expect("random"));
        assert_eq!(one.len(), TOKEN_LENGTH);
        assert!(is_same_token(&one, &one) && is_same_token(&one, &one.to_uppercase()));
        assert!(
            !is_same_token(&one, &other)
                && !is_same_token(&one, &one[1..])
                && !is_same_token("", "")
        );
    }
}
