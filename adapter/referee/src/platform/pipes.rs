//! Pipes, and creating and locking files.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

/// Opens a file to append to, or creates it. Opening a pipe that no program reads is an error, where the system would
/// wait for a reader.
pub(crate) fn open_to_append(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).append(true);
    options.custom_flags(OFlags::NONBLOCK.bits() as i32);
    let file = options.open(path)?;
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

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
