//! Tokens: words that nobody can guess, and that say who sends a command.

use subtle::ConstantTimeEq;

use crate::error::ClubError;

/// 32 characters that are not taken for one another.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The length of a token: 80 bits.
const LENGTH: usize = 16;

/// A new token.
///
/// # Errors
/// The system gives no random numbers.
pub(crate) fn new() -> Result<String, ClubError> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes)
        .map_err(|error| ClubError::Other(format!("random numbers: {error}")))?;
    let letters = bytes.map(|byte| char::from(ALPHABET[usize::from(byte % 32)]));
    Ok(letters.iter().collect())
}

/// Whether a word is this token, in any case. How long it takes does not tell how much of it is right.
pub(crate) fn is_same(token: &str, word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    !token.is_empty() && bool::from(token.as_bytes().ct_eq(word.as_bytes()))
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
