//! Pipes, and creating and locking files.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Access, FlockOperation, OFlags, access, fcntl_getfl, fcntl_setfl, flock};
use rustix::io::Errno;

/// Makes the pipe non-blocking: a write returns at once with the number of bytes accepted.
pub(crate) fn set_nonblocking(pipe: &impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(pipe)?;
    Ok(fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?)
}

/// Blocks until the pipe is readable or closed. Returns `false` if the deadline passes first.
pub(crate) fn wait_readable(pipe: &impl AsFd, until: Instant) -> bool {
    let left = until.saturating_duration_since(Instant::now());
    let Ok(left) = Timespec::try_from(left) else {
        return false;
    };
    // The caller repeats an interrupted wait.
    poll(&mut [PollFd::new(pipe, PollFlags::IN)], Some(&left)).is_ok_and(|n| n > 0)
}

/// Blocks until the pipe is writable, its other end is closed, or the deadline passes.
pub(crate) fn wait_writable(pipe: &impl AsFd, until: Instant) {
    let left = until.saturating_duration_since(Instant::now());
    if let Ok(left) = Timespec::try_from(left) {
        // The following write reports any error.
        let _ = poll(&mut [PollFd::new(pipe, PollFlags::OUT)], Some(&left));
    }
}

/// Checks that a file can be created at this path, without creating it.
///
/// # Errors
/// The file exists, its folder does not exist, or the folder is not writable.
pub(crate) fn check_new_file(path: &Path) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        let why = "exists: expected a new file";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    Ok(access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
}

/// Locks a file exclusively until it is closed. Returns `false` if another program holds the lock; `true` on file
/// systems without locks.
pub(crate) fn try_lock(file: &File) -> bool {
    flock(file, FlockOperation::NonBlockingLockExclusive) != Err(Errno::WOULDBLOCK)
}
