//! Errors of a table.

use std::fmt;
use std::io;

use kit::Rejection;
use record::ledger::LedgerError;
use referee::match_error::MatchError;

/// Error of a request or of the table.
#[derive(Debug)]
pub enum TableError {
    /// The request is not possible now; the game is unchanged.
    Refused(String),
    /// An engine cannot play.
    Engine(MatchError),
    /// The records cannot be written; the table closes.
    Records(io::Error),
    /// A file contains no game that can be continued.
    File(LedgerError),
    /// The system cannot start a thread for the table.
    Thread(io::Error),
    /// The table's thread panicked with this message. The ledger contains the game up to that point.
    Panicked(String),
}

impl TableError {
    /// A [`TableError::Refused`] with this message.
    pub(super) fn refused(why: impl Into<String>) -> TableError {
        TableError::Refused(why.into())
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Refused(why) => f.write_str(why),
            TableError::Engine(error) => error.fmt(f),
            TableError::Records(error) => error.fmt(f),
            TableError::File(error) => error.fmt(f),
            TableError::Thread(error) => write!(f, "cannot start a thread: {error}"),
            TableError::Panicked(message) => {
                write!(
                    f,
                    "internal error: {message}; the game is kept in its ledger"
                )
            }
        }
    }
}

impl std::error::Error for TableError {}

impl From<MatchError> for TableError {
    fn from(error: MatchError) -> TableError {
        TableError::Engine(error)
    }
}

impl From<Rejection> for TableError {
    fn from(why: Rejection) -> TableError {
        TableError::Refused(why.to_string())
    }
}
