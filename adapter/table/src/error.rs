//! Errors of a table.

use std::io;

use kit::Rejection;
use record::ledger::LedgerError;
use referee::match_error::MatchError;

use crate::model::Refusal;

/// Error of a request or of the table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The request is not possible now; the game is unchanged.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// A plan or a ledger does not fit a table.
    #[error("{0}")]
    Unsuitable(String),
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

impl From<Rejection> for TableError {
    fn from(Rejection(reason): Rejection) -> TableError {
        TableError::Refused(Refusal::Rules { reason })
    }
}

/// The refusal for an error of the system.
pub(crate) fn failed(error: impl ToString) -> Refusal {
    let reason = error.to_string();
    Refusal::Failed { reason }
}

/// The result of carrying out a request.
pub(crate) type Done = Result<(), TableError>;

/// Refuses a request.
pub(crate) fn refuse<T>(why: Refusal) -> Result<T, TableError> {
    Err(TableError::Refused(why))
}
