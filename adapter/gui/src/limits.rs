//! Resource limits against outside clients.

use referee::capacity::{TABLE_DESCRIPTORS, spare_descriptors};

/// A browser loads a page by several connections at once.
const MIN_CONNECTIONS: u64 = 8;

/// Descriptors of the clients of both doors, with four pages each.
const MIN_CLIENTS: u64 = 2 * (MIN_CONNECTIONS + 4);

/// Limits that depend on the number of files that the process may open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Maximum number of tables, at most 16.
    pub(crate) tables: usize,
    /// Maximum number of WebSockets of the host, and of all guests: at most 256 each.
    pub(crate) tabs: usize,
    /// Maximum number of TCP connections of a door, without WebSockets, at most 128. Further clients replace the oldest.
    pub(crate) connections: usize,
}

impl Limits {
    /// The limits of this process in addition to `reserved` descriptors, so that clients never take those of a table.
    ///
    /// # Errors
    /// There are too few for one table and its players. The text names the limit that is needed.
    pub(crate) fn new(reserved: u64) -> Result<Limits, String> {
        let least = TABLE_DESCRIPTORS + MIN_CLIENTS;
        spare_descriptors(reserved, least).map(Limits::sharing)
    }

    /// Shares descriptors: tables get up to two thirds, the connections before a token is known a quarter of the rest.
    fn sharing(spare: u64) -> Limits {
        let tables = (spare - MIN_CLIENTS) / 3 * 2 / TABLE_DESCRIPTORS;
        let tables = tables.clamp(1, 16);
        let rest = spare - tables * TABLE_DESCRIPTORS;
        let connections = (rest / 8).clamp(MIN_CONNECTIONS, 128);
        Limits {
            tables: tables as usize,
            tabs: (rest / 2 - connections).min(256) as usize,
            connections: connections as usize,
        }
    }
}

/// Maximum number of guests' links. A further one replaces the oldest.
pub(crate) const MAX_LINKS: usize = 256;

/// Maximum size of a message in bytes: of the host, who sends whole records, and of a guest.
pub(crate) const MAX_HOST_MESSAGE: usize = 6 << 20;
pub(crate) const MAX_GUEST_MESSAGE: usize = 16 << 10;

/// Maximum number of a page's requests that await the table's answer.
pub(crate) const MAX_WAITING: usize = 64;

/// Capacity of the queues to and from a page's thread. Each text may be large.
pub(crate) const MAX_QUEUED: usize = 8;

/// Size of the socket's send buffer, in bytes.
pub(crate) const SEND_BUFFER: u32 = 256 << 10;

/// Maximum number of connections that wait to be accepted.
pub(crate) const BACKLOG: u32 = 1024;

/// Messages of a page: at once, and per second afterwards.
pub(crate) const BURST: f64 = 200.0;
pub(crate) const PER_SECOND: f64 = 100.0;

/// Maximum size of a request's head in bytes.
pub(crate) const MAX_HEAD: usize = 16 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_leave_the_descriptors_of_the_tables() {
        for spare in [
            TABLE_DESCRIPTORS + MIN_CLIENTS,
            60,
            100,
            1000,
            4000,
            u64::MAX,
        ] {
            let Limits {
                tables,
                tabs,
                connections,
            } = Limits::sharing(spare);
            assert!(tables > 0 && tabs >= 4 && connections >= 8, "{spare}");
            // Two doors; the pages of the host, and of the guests.
            let clients = 2 * (tabs + connections) as u64;
            let used = tables as u64 * TABLE_DESCRIPTORS + clients;
            assert!(used <= spare, "{used} of {spare}");
        }
        let all = Limits {
            tables: 16,
            tabs: 256,
            connections: 128,
        };
        assert_eq!(Limits::sharing(4000), all);
    }
}
