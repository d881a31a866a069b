//! Storage behind a ledger: a file or memory.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};

use crate::platform::try_lock;

/// The storage of a ledger; tests use a mock.
pub trait LedgerFile: fmt::Debug + Send {
    /// Appends a line.
    fn append(&mut self, line: &[u8]) -> io::Result<()>;

    /// Truncates the file to `n_bytes`.
    fn cut(&mut self, n_bytes: u64) -> io::Result<()>;

    /// Syncs written data to disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// Locks a ledger, or a file derived from one, exclusively: two writers would overwrite each other's lines. The lock is
/// released with the file.
pub fn lock(file: File) -> io::Result<File> {
    if try_lock(&file) {
        Ok(file)
    } else {
        Err(io::Error::other("another linesman is writing to it"))
    }
}

impl LedgerFile for File {
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        self.write_all(line)
    }

    fn cut(&mut self, n_bytes: u64) -> io::Result<()> {
        self.set_len(n_bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}
