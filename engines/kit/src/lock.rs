//! The lock that a process holds on a file that it writes.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::platform::{is_file_named, without_waiting};

/// A lock that is held until it is dropped or the process ends.
#[derive(Debug)]
pub struct WriterLock {
    path: PathBuf,
    _file: File,
}

/// The reason why a lock was not acquired.
#[derive(Debug)]
pub enum LockError {
    /// Another process holds it.
    Held,
    /// The system cannot create or lock the lock file of this name.
    Io(PathBuf, io::Error),
}

impl WriterLock {
    /// Locks a file next to the one named, which need not exist.
    pub fn acquire(written: &Path) -> Result<WriterLock, LockError> {
        let mut path = written.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        loop {
            let io = |error| LockError::Io(path.clone(), error);
            let mut options = File::options();
            let file = without_waiting(options.create(true).append(true)).open(&path);
            let file = file.map_err(io)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(LockError::Held),
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
