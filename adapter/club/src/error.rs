//! Errors of the crate.

use std::io;

use protocol::text::without_error_number;
use table::TableError;

/// Error of a command or of the store.
#[derive(Debug, thiserror::Error)]
pub enum ClubError {
    /// The command is not possible. Nothing has changed, and the sender receives the reason.
    #[error("{0}")]
    Refused(String),
    /// The line begins like a command and does not have its form: it may be a remark. Nothing has changed.
    #[error("{0}")]
    Misread(String),
    // The other errors leave the whole message to be delivered again.
    /// SQLite error.
    #[error(transparent)]
    Store(#[from] rusqlite::Error),
    /// A file cannot be read or written.
    #[error("{}", without_error_number(&.0.to_string()))]
    File(#[from] io::Error),
    /// The record of a game cannot be written.
    #[error(transparent)]
    Record(#[from] serde_json::Error),
    /// A table cannot be opened, or has failed.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Another error, as text.
    #[error("{0}")]
    Other(String),
}

/// Result of a command or of a use of the store.
pub type Answer<T> = Result<T, ClubError>;

/// Returns the error for an impossible command. The arguments are those of `format!`.
macro_rules! refuse {
    ($($why:tt)*) => {
        Err($crate::error::ClubError::Refused(format!($($why)*)))
    };
}

/// Returns the error for a line without the form of its command. The arguments are those of `format!`.
macro_rules! misread {
    ($($why:tt)*) => {
        Err($crate::error::ClubError::Misread(format!($($why)*)))
    };
}

pub(crate) use {misread, refuse};
