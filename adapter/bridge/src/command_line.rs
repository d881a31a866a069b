//! Command lines for people to paste, and for GUIs that split them by rules of their own.

use std::borrow::Cow;

/// Quotes words for a shell. Quotes only the words that need it.
pub fn shell_line(words: &[String]) -> String {
    let words = words.iter().map(|word| quote(word));
    words.collect::<Vec<_>>().join(" ")
}

fn quote(word: &str) -> Cow<'_, str> {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./:=,+@%".contains(sign);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    // A word with a NUL cannot be quoted, but cannot be in a command line either.
    shlex::try_quote(word).unwrap_or(Cow::Borrowed(word))
}
