//! Pipes and files.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Access, FlockOperation, OFlags, access, fcntl_getfl, fcntl_setfl, flock};
use rustix::io::Errno;

/// From here on, a write to the pipe returns at once with as much as the pipe takes.
pub(crate) fn set_nonblocking(pipe: &impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(pipe)?;
    Ok(fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?)
}

/// Blocks until the pipe can be read or is closed, or the time is there; false at that time.
pub(crate) fn wait_readable(pipe: &impl AsFd, until: Instant) -> bool {
    let left = until.saturating_duration_since(Instant::now());
    let Ok(left) = Timespec::try_from(left) else {
        return false;
    };
    // An interrupted wait is repeated by the caller.
    poll(&mut [PollFd::new(pipe, PollFlags::IN)], Some(&left)).is_ok_and(|n| n > 0)
}

/// Blocks until the pipe takes bytes, its other end is closed, or the time is there.
pub(crate) fn wait_writable(pipe: &impl AsFd, until: Instant) {
    let left = until.saturating_duration_since(Instant::now());
    if let Ok(left) = Timespec::try_from(left) {
        // An error is found again by the write.
        let _ = poll(&mut [PollFd::new(pipe, PollFlags::OUT)], Some(&left));
    }
}

/// Whether a new file can be made under this name, without making it.
///
/// # Errors
/// The file is there, its folder is not, or nobody may write there.
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

/// Locks a file for this program until it is closed; whether no other program holds the lock. On a file system without
/// locks nobody does.
pub(crate) fn try_lock(file: &File) -> bool {
    flock(file, FlockOperation::NonBlockingLockExclusive) != Err(Errno::WOULDBLOCK)
}
