//! What this process may still use of the system.

use rustix::process::{Resource, geteuid, getrlimit};

/// How many descriptors this process may have open; `None` if there is no limit.
pub(crate) fn max_descriptors() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// How many descriptors this process has open.
pub(crate) fn open_descriptors() -> u64 {
    // Reading the folder takes one more. Where there is no such folder, the standard streams are all we know of.
    std::fs::read_dir("/dev/fd").map_or(3, |entries| entries.count().saturating_sub(1) as u64)
}

/// How many processes and threads this user may have; `None` if there is no limit, as for the superuser.
pub(crate) fn max_processes() -> Option<u64> {
    getrlimit(Resource::Nproc)
        .current
        .filter(|_| !geteuid().is_root())
}
