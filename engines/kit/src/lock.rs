//! The lock that a process holds on a file that it writes.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::Rejection;
use crate::platform::{is_file_named, without_waiting};

/// A lock that is held until it is dropped or the process ends.
#[derive(Debug)]
pub struct WriterLock {
    path: PathBuf,
    _file: File,
}

impl WriterLock {
    /// Locks a file next to the one named, which need not exist.
    ///
    /// # Errors
    /// Another process holds the lock, which `held` says, or the system cannot create or lock the lock file. The text
    /// names the file.
    pub fn acquire(written: &Path, held: &str) -> Result<WriterLock, Rejection> {
        let path = written.with_added_extension("lock");
        loop {
            let io = |error: io::Error| Rejection(format!("{}: {error}", path.display()));
            let mut options = File::options();
            let file = without_waiting(options.create(true).append(true)).open(&path);
            let file = file.map_err(io)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Rejection(format!("{}: {held}", written.display())));
                }
                // On a file system without locks, no other process holds one either.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(io(error)),
            }
            // The previous holder may have removed the file in the meantime.
            if is_file_named(&file, &path).map_err(io)? {
                return Ok(WriterLock { path, _file: file });
            }
        }
    }
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        // A leftover lock file locks nothing.
        let _ = fs::remove_file(&self.path);
    }
}
