//! Resource limits against outside clients.

/// Maximum number of TCP connections of a door, without WebSockets. Further clients replace the oldest.
pub(crate) const MAX_CONNECTIONS: usize = 128;

/// Maximum number of WebSockets of the host, and of all guests.
pub(crate) const MAX_TABS: usize = 256;

/// Maximum number of tables. Each has at most four engines: one per seat, one for hints, one for analysis.
pub(crate) const MAX_TABLES: usize = 16;

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
