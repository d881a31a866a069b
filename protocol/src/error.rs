//! Errors of parsing a line.

use crate::text::excerpt;

/// The reason why a line cannot be parsed, in one line for a person. Words of the line are in it as [`excerpt`]s.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SyntaxError(String);

impl SyntaxError {
    /// The line is longer than this number of bytes.
    pub fn too_long(limit: usize) -> SyntaxError {
        SyntaxError(format!("line too long: expected at most {limit} bytes"))
    }

    /// The first word is not a command.
    pub(crate) fn unknown_command(word: &str, known: &str) -> SyntaxError {
        let word = excerpt(word);
        SyntaxError(format!("unknown command \"{word}\": expected {known}"))
    }

    /// The line ends too early.
    pub(crate) fn missing(after: &str, expected: &str) -> SyntaxError {
        SyntaxError(format!("nothing after {after}: expected {expected}"))
    }

    /// A word is not the one expected in its place.
    pub(crate) fn unexpected(word: &str, after: &str, expected: &str) -> SyntaxError {
        let word = excerpt(word);
        SyntaxError(format!(
            "unexpected \"{word}\" after {after}: expected {expected}"
        ))
    }

    /// A limit is given twice, possibly in both dialects.
    pub(crate) fn repeated(word: &str) -> SyntaxError {
        SyntaxError(format!("second \"{word}\": expected each limit once"))
    }

    /// A word follows a complete line.
    pub(crate) fn surplus(word: &str, after: &str) -> SyntaxError {
        let [word, after] = [word, after].map(excerpt);
        SyntaxError(format!(
            "surplus word \"{word}\" after {after}: expected the end of the line"
        ))
    }
}
