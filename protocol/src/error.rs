//! Errors of parsing a line.

use crate::text::excerpt;

/// The reason why a line cannot be parsed. Words of the line are stored as [`excerpt`]s.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// The first word is not a command.
    #[error("unknown command \"{word}\": expected {known}")]
    UnknownCommand {
        /// The word.
        word: String,
        /// The first words of all commands.
        known: String,
    },
    /// The line ends too early.
    #[error("nothing after {after}: expected {expected}")]
    Missing {
        /// The word after which something is missing.
        after: &'static str,
        /// The part that must follow.
        expected: String,
    },
    /// A word is not the one expected in its place.
    #[error("unexpected \"{word}\" after {after}: expected {expected}")]
    Unexpected {
        /// The word.
        word: String,
        /// The last word before it.
        after: &'static str,
        /// The part that must follow instead.
        expected: String,
    },
    /// A limit is given twice, possibly in both dialects.
    #[error("second \"{word}\": expected each limit once")]
    Repeated {
        /// The second word.
        word: &'static str,
    },
    /// A word follows a complete line.
    #[error("surplus word \"{word}\" after {after}: expected the end of the line")]
    Surplus {
        /// The word.
        word: String,
        /// The command or reply that is complete without it.
        after: String,
    },
    /// The line is longer than the limit.
    #[error("line too long: expected at most {limit} bytes")]
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
