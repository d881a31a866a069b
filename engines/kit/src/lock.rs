//! The lock that one process holds on a file that it will write.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::platform::is_file_named;

/// Held until it is dropped, or until the process ends.
#[derive(Debug)]
pub struct WriterLock {
    path: PathBuf,
    _file: File,
}

/// Why a lock cannot be held.
#[derive(Debug)]
pub enum LockError {
    /// Another process holds it.
    Held,
    /// The system cannot make the lock file, which has this name.
    Io(PathBuf, io::Error),
}

impl WriterLock {
    /// Locks a file beside the one named, which need not exist.
    pub fn acquire(written: &Path) -> Result<WriterLock, LockError> {
        let mut path = written.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        loop {
            let io = |error| LockError::Io(path.clone(), error);
            let file = File::options().create(true).append(true).open(&path);
            let file = file.map_err(io)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(LockError::Held),
                // A file system without locks: nobody else holds one.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(io(error)),
            }
            // Whoever held the lock before may have removed the file meanwhile.
            if is_file_named(&file, &path).map_err(io)? {
                return Ok(WriterLock { path, _file: file });
            }
        }
    }
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        // A lock file that stays behind locks nothing.
        let _ = fs::remove_file(&self.path);
    }
}
