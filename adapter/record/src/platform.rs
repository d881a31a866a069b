//! What depends on the operating system: locks and permissions of files.
//!
//! Linux and macOS are supported. A port to another system replaces the functions of this module and nothing else.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{Access, FlockOperation, access, flock};
use rustix::io::Errno;

/// Checks that files can be created in a folder.
pub(crate) fn check_writable(folder: &Path) -> io::Result<()> {
    Ok(access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
}

/// Locks a file exclusively until it is closed. Returns `false` if another program holds the lock; `true` on file
/// systems without locks.
pub(crate) fn try_lock(file: &File) -> bool {
    flock(file, FlockOperation::NonBlockingLockExclusive) != Err(Errno::WOULDBLOCK)
}
