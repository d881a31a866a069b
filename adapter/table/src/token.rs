//! Random words that grant access: tokens and passwords.

use std::{fmt, io};

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Letters and digits without those that look similar: `l`, `o`, `0`, `1`. One of them has 5 bits.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Length of a token that programs store: 130 bits.
pub const TOKEN: usize = 26;

/// Length of the token of a guest's seat, part of a link: 50 bits.
pub const SEAT_TOKEN: usize = 10;

/// Returns random bytes from the system.
///
/// # Errors
/// The system provides no random numbers.
pub fn random_bytes<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|error| io::Error::other(format!("random numbers: {error}")))?;
    Ok(bytes)
}

/// Generates a random word of `N` letters, with 5 bits in each.
///
/// # Errors
/// The system provides no random numbers.
pub fn random_word<const N: usize>() -> io::Result<String> {
    Ok(word(&random_bytes::<N>()?))
}

/// Converts random bytes to a word, with 5 bits of each.
fn word(bytes: &[u8]) -> String {
    let letter = |byte: &u8| char::from(ALPHABET[usize::from(byte % 32)]);
    bytes.iter().map(letter).collect()
}

/// Random bytes of a user, from which words are derived that stay the same.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; Secret::BYTES]);

impl Secret {
    /// Length in bytes.
    pub const BYTES: usize = 32;

    /// The secret with these bytes, which should be random.
    pub fn new(bytes: [u8; Secret::BYTES]) -> Secret {
        Secret(bytes)
    }

    /// A word of [`TOKEN`] letters, always the same for the same purpose. It does not reveal the secret.
    pub fn token(&self, purpose: &str) -> String {
        let bytes = Sha256::new().chain_update(self.0).chain_update(purpose);
        word(&bytes.finalize()[..TOKEN])
    }
}

/// Never shows the bytes.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Compares a word with a known one in a time that depends only on the lengths. An empty word is never known.
pub fn is_same(known: &str, word: &str) -> bool {
    !known.is_empty() && bool::from(known.as_bytes().ct_eq(word.as_bytes()))
}

/// The bits of a password, if its letters are chosen at random among the kinds of characters in it. The true number is
/// at most this.
pub fn password_bits(password: &str) -> f64 {
    let has = |is_kind: fn(&char) -> bool| u32::from(password.chars().any(|c| is_kind(&c)));
    let n_usual = 26 * has(char::is_ascii_lowercase)
        + 26 * has(char::is_ascii_uppercase)
        + 10 * has(char::is_ascii_digit)
        + 32 * has(|c| !c.is_ascii_alphanumeric());
    password.chars().count() as f64 * f64::from(n_usual.max(1)).log2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_differ_and_can_be_typed() {
        let words = [(); 2].map(|()| random_word::<TOKEN>().expect("random numbers"));
        assert_ne!(words[0], words[1]);
        for word in words {
            assert_eq!(word.len(), TOKEN);
            assert!(word.bytes().all(|byte| ALPHABET.contains(&byte)), "{word}");
        }
    }

    #[test]
    fn derived_words_differ_by_secret_and_purpose() {
        let (one, other) = (Secret::new([7; 32]), Secret::new([8; 32]));
        assert_eq!(one.token("gui 80"), one.token("gui 80"));
        assert_eq!(one.token("gui 80").len(), TOKEN);
        assert_ne!(one.token("gui 80"), one.token("gui 81"));
        assert_ne!(one.token("gui 80"), other.token("gui 80"));
        assert_eq!(format!("{one:?}"), "Secret");
    }

    #[test]
    fn a_word_is_the_same_as_itself_alone() {
        let word = random_word::<16>().expect("random numbers");
        assert!(is_same(&word, &word));
        for other in ["", &word[1..], &format!("{word}a"), &word.to_uppercase()] {
            assert!(!is_same(&word, other), "{other}");
        }
        assert!(!is_same("", ""));
    }

    #[test]
    fn a_password_has_the_bits_of_its_length_and_kinds() {
        let bits = |password: &str| password_bits(password) as u32;
        assert_eq!((bits(""), bits("secret"), bits("Se5r.t")), (0, 28, 39));
        assert_eq!((bits("k7wq3mzd"), bits("correct-horse")), (41, 76));
    }
}
