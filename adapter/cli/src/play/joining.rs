//! Joining a table as a client.

use record::registry::Registry;
use table::{JoinWish, SessionError, TableHandle, TableSession};

use crate::usage::{Failure, plain_trouble};

/// Maximum number of queued events of a client. A slower client loses events and gets a snapshot.
const CAPACITY: usize = 1024;

/// Joins a table.
///
/// # Errors
/// The reason that the table rejects the client.
pub(crate) fn join(
    table: &TableHandle,
    registry: Registry,
    wish: JoinWish,
) -> Result<TableSession, SessionError> {
    TableSession::join(table, registry, wish, CAPACITY)
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Failure {
        plain_trouble(error)
    }
}
