//! What can go wrong.

use std::fmt;
use std::io;

use protocol::text::without_error_number;

/// Why the store cannot be used: what was asked is not stored.
#[derive(Debug)]
pub enum ClubError {
    /// SQLite cannot read or write it.
    Store(rusqlite::Error),
    /// A file cannot be read or written.
    File(io::Error),
    /// It is not what was expected, in words.
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

/// Why one command is not carried out.
#[derive(Debug)]
pub(crate) enum Halt {
    /// It is not possible; its sender is told why, and nothing has changed.
    Refused(String),
    /// Nothing can be stored now: the whole message is to come again.
    Broken(ClubError),
}

/// What a command gives, or why it is not carried out.
pub(crate) type Answer<T> = Result<T, Halt>;

/// The refusal with these words.
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
