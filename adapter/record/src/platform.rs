//! What depends on the operating system: locks and permissions of files.
//!
//! Linux and macOS are supported. A port to another system replaces the functions of this module and nothing else.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{Access, FlockOperation, access, flock};
use rustix::io::Errno;

/// Checks that a file can be created at this path, without creating it.
///
/// # Errors
/// The file exists, its folder does not exist, or the folder is not writable.
pub fn check_new_file(path: &Path) -> io::Result<()> {
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
pub fn try_lock(file: &File) -> bool {
    flock(file, FlockOperation::NonBlockingLockExclusive) != Err(Errno::WOULDBLOCK)
}
