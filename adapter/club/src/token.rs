//! Tokens: random words that authenticate the sender of a command.

use table::token;

use crate::error::{Answer, ClubError};

/// Length of a token that people copy from a message: 80 bits.
const LENGTH: usize = 16;

/// Generates a token.
///
/// # Errors
/// The system provides no random numbers.
pub(crate) fn new() -> Answer<String> {
    token::random_word::<LENGTH>().map_err(|error| ClubError::Other(error.to_string()))
}

/// Compares a word with a token, ignoring case, in constant time.
pub(crate) fn is_same(token: &str, word: &str) -> bool {
    token::is_same(token, &word.to_ascii_lowercase())
}

/// `true` if a word looks like a token, right or wrong.
pub(crate) fn is_shaped(word: &str) -> bool {
    word.len() == LENGTH && word.chars().all(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_its_own_alone() {
        let (one, other) = (new().expect("random"), new().expect("random"));
        assert_eq!(one.len(), LENGTH);
        assert!(is_same(&one, &one) && is_same(&one, &one.to_uppercase()));
        assert!(!is_same(&one, &other) && !is_same(&one, &one[1..]) && !is_same("", ""));
    }
}
