//! Errors of the crate.

use std::{fmt, io};

use protocol::text::without_error_number;

/// Error of the store; the request was not stored.
#[derive(Debug)]
pub enum ClubError {
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
            ClubError::Other(why) => f.write_str(why),
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

/// Reason for which a command failed.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The command is not possible. Nothing has changed, and the sender receives the reason.
    Refused(String),
    /// The store failed; the whole message must be delivered again.
    Broken(ClubError),
}

/// Result of a command.
pub(crate) type Answer<T> = Result<T, Halt>;

/// Returns the error for an impossible command.
pub(crate) fn refuse<T>(why: impl Into<String>) -> Answer<T> {
    Err(Halt::Refused(why.into()))
}

impl From<rusqlite::Error> for Halt {
    fn from(error: rusqlite::Error) -> Halt {
        Halt::Broken(error.into())
    }
}

impl From<ClubError> for Halt {
    fn from(error: ClubError) -> Halt {
        Halt::Broken(error)
    }
}

impl From<Halt> for ClubError {
    fn from(halt: Halt) -> ClubError {
        match halt {
            Halt::Refused(why) => ClubError::Other(why),
            Halt::Broken(error) => error,
        }
    }
}
