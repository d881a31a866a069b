//! The lock that one build holds on the table that it will write.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::{BuildError, TableError};
use crate::platform::is_file_named;

/// Held until it is dropped, or until the process ends.
#[derive(Debug)]
pub(super) struct BuildLock {
    path: PathBuf,
    _file: File,
}

impl BuildLock {
    /// Locks a file beside the table `path`, which need not exist.
    pub(super) fn acquire(table: &Path) -> Result<BuildLock, BuildError> {
        let mut path = table.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        loop {
            let io = || TableError::io(&path);
            let file = File::options().create(true).append(true).open(&path);
            let file = file.map_err(io())?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(BuildError::Locked(table.to_owned())),
                // A file system without locks: nobody else holds one.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(io()(error).into()),
            }
            // The build that held the lock before may have removed the file meanwhile.
            if is_file_named(&file, &path).map_err(io())? {
                return Ok(BuildLock { path, _file: file });
            }
        }
    }
}

impl Drop for BuildLock {
    fn drop(&mut self) {
        // A lock file that stays behind locks nothing.
        let _ = fs::remove_file(&self.path);
    }
}
