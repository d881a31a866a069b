//! Joining a table as a client.

use record::registry::Registry;
use record::table::Role;
use table::{SessionError, TableHandle, TableSession};

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
    name: &str,
    role: Role,
    token: Option<String>,
) -> Result<TableSession, SessionError> {
    TableSession::join(table, registry, name, role, token, CAPACITY)
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Failure {
        plain_trouble(error)
    }
}
