//! Resource limits of this process.

use rustix::process::{Resource, geteuid, getrlimit};

/// Largest number of open descriptors of this process; `None` if unlimited.
pub(crate) fn max_descriptors() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// Number of open descriptors of this process.
pub(crate) fn open_descriptors() -> u64 {
    // Subtract the descriptor that reads the folder. Without `/dev/fd`, assume the three standard streams.
    std::fs::read_dir("/dev/fd").map_or(3, |entries| entries.count().saturating_sub(1) as u64)
}

/// Largest number of processes and threads of this user; `None` if unlimited, as for root.
pub(crate) fn max_processes() -> Option<u64> {
    getrlimit(Resource::Nproc)
        .current
        .filter(|_| !geteuid().is_root())
}
