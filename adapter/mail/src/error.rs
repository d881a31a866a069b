//! Errors of the crate.

use std::{fmt, io};

use protocol::text::without_error_number;

/// Error of a command or of the store.
#[derive(Debug)]
pub enum ClubError {
    /// The command is not possible. Nothing has changed, and the sender receives the reason.
    Refused(String),
    // The other errors leave the whole message to be delivered again.
    /// SQLite error.
    Store(rusqlite::Error),
    /// A file cannot be read or written.
    File(io::Error),
    /// Another error, as text.
    Other(String),
}

impl fmt::Display for ClubError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClubError::Store(error) => error.fmt(f),
            ClubError::File(error) => f.write_str(&without_error_number(&error.to_string())),
            ClubError::Refused(why) | ClubError::Other(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ClubError {}

impl From<rusqlite::Error> for ClubError {
    fn from(error: rusqlite::Error) -> ClubError {
        ClubError::Store(error)
    }
}

impl From<io::Error> for ClubError {
    fn from(error: io::Error) -> ClubError {
        ClubError::File(error)
    }
}

/// Result of a command or of a use of the store.
pub(crate) type Answer<T> = Result<T, ClubError>;

/// Returns the error for an impossible command. The arguments are those of `format!`.
macro_rules! refuse {
    ($($why:tt)*) => {
        Err($crate::error::ClubError::Refused(format!($($why)*)))
    };
}

pub(crate) use refuse;
