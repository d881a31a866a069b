//! Errors of parsing a line.

use std::fmt;

use crate::Command;
use crate::text::{excerpt, or_list};

/// The reason why a line cannot be parsed. Words of the line are stored as [`excerpt`]s.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyntaxError {
    /// The first word is not a command.
    UnknownCommand {
        /// The word.
        word: String,
    },
    /// The line ends too early.
    Missing {
        /// The word after which something is missing.
        after: &'static str,
        /// The part that must follow.
        expected: String,
    },
    /// A word is not the one expected in its place.
    Unexpected {
        /// The word.
        word: String,
        /// The last word before it.
        after: &'static str,
        /// The part that must follow instead.
        expected: String,
    },
    /// A limit is given twice, possibly in both dialects.
    Repeated {
        /// The second word.
        word: &'static str,
    },
    /// A word follows a complete line.
    Surplus {
        /// The word.
        word: String,
        /// The command or reply that is complete without it.
        after: String,
    },
    /// The line is longer than the limit.
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
}

impl SyntaxError {
    pub(crate) fn missing(after: &'static str, expected: &str) -> Self {
        let expected = expected.to_owned();
        SyntaxError::Missing { after, expected }
    }

    pub(crate) fn unexpected(word: &str, after: &'static str, expected: &str) -> Self {
        SyntaxError::Unexpected {
            word: excerpt(word),
            after,
            expected: expected.to_owned(),
        }
    }

    pub(crate) fn surplus(word: &str, after: &str) -> Self {
        SyntaxError::Surplus {
            word: excerpt(word),
            after: excerpt(after),
        }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SyntaxError::UnknownCommand { word } => write!(
                f,
                "unknown command \"{word}\": expected {}",
                or_list(&Command::words())
            ),
            SyntaxError::Missing { after, expected } => {
                write!(f, "nothing after {after}: expected {expected}")
            }
            SyntaxError::Unexpected {
                word,
                after,
                expected,
            } => write!(
                f,
                "unexpected \"{word}\" after {after}: expected {expected}"
            ),
            SyntaxError::Repeated { word } => {
                write!(f, "second \"{word}\": expected each limit once")
            }
            SyntaxError::Surplus { word, after } => write!(
                f,
                "surplus word \"{word}\" after {after}: expected the end of the line"
            ),
            SyntaxError::TooLong { limit } => {
                write!(f, "line too long: expected at most {limit} bytes")
            }
        }
    }
}

impl std::error::Error for SyntaxError {}
