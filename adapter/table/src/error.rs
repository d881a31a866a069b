//! Errors of a table.

use std::io;

use kit::Rejection;
use record::ledger::LedgerError;
use referee::match_error::MatchError;

/// Error of a request or of the table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The request is not possible now; the game is unchanged.
    #[error("{0}")]
    Refused(String),
    /// An engine cannot play.
    #[error(transparent)]
    Engine(#[from] MatchError),
    /// The records cannot be written; the table closes.
    #[error(transparent)]
    Records(io::Error),
    /// A file contains no game that can be continued.
    #[error(transparent)]
    File(LedgerError),
    /// The system cannot start a thread for the table.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The table's thread panicked with this message. The ledger contains the game up to that point.
    #[error("internal error: {0}; the game is kept in its ledger")]
    Panicked(String),
}

impl TableError {
    /// A [`TableError::Refused`] with this message.
    pub(super) fn refused(why: impl Into<String>) -> TableError {
        TableError::Refused(why.into())
    }
}

impl From<Rejection> for TableError {
    fn from(why: Rejection) -> TableError {
        TableError::Refused(why.to_string())
    }
}

/// Returns the [`TableError::Refused`] for a request that is not possible now. The arguments are those of `format!`.
macro_rules! refuse {
    ($($why:tt)*) => {
        Err($crate::error::TableError::Refused(format!($($why)*)))
    };
}

pub(crate) use refuse;
