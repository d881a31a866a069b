//! Resource limits of this process and its engines.

use std::io;
use std::process::Child;

use rustix::process::{Resource, geteuid, getrlimit};

/// Caps the private memory of a child and of each process that it starts.
#[cfg(target_os = "linux")]
pub(crate) fn limit_memory(child: &Child, mib: u32) -> io::Result<()> {
    use rustix::process::{Pid, Rlimit, prlimit};

    let limit = Some(u64::from(mib) << 20);
    let limit = Rlimit {
        current: limit,
        maximum: limit,
    };
    prlimit(Some(Pid::from_child(child)), Resource::Data, limit)?;
    Ok(())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn limit_memory(_: &Child, _: u32) -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "--memory: not supported by this system: expected Linux",
    ))
}

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
