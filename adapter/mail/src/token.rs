//! Tokens: random words that authenticate the sender of a command.

use subtle::ConstantTimeEq;

use crate::error::ClubError;

/// Base-32 alphabet without characters that are easily confused.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Length of a token: 16 characters, 80 bits.
const LENGTH: usize = 16;

/// Generates a token.
///
/// # Errors
/// The system provides no random numbers.
pub(crate) fn new() -> Result<String, ClubError> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes)
        .map_err(|error| ClubError::Other(format!("random numbers: {error}")))?;
    let letters = bytes.map(|byte| char::from(ALPHABET[usize::from(byte % 32)]));
    Ok(letters.iter().collect())
}

/// Compares a word with a token, ignoring case, in constant time.
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
