//! Storage behind a ledger: a file or memory.

use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::sync::Arc;

use parking_lot::Mutex;

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
/// released with the file. If another process holds it, tries again after each of ten pauses: if a match was killed while
/// it started an engine, the new process holds the lock until it executes the engine.
pub fn lock(file: File, mut pause: impl FnMut()) -> io::Result<File> {
    const PAUSES: usize = 10;
    for attempt in 0..=PAUSES {
        if attempt > 0 {
            pause();
        }
        // A file system without locks counts as locked.
        if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Ok(file);
        }
    }
    Err(io::Error::other(
        "another linesman is writing to it: end that one first",
    ))
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

/// Lines written to a ledger, in memory. Clones share the lines.
#[derive(Debug, Clone, Default)]
pub struct MemoryLedger(Arc<Mutex<Vec<u8>>>);

impl MemoryLedger {
    /// Removes and returns the lines written since the last call, line breaks included.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock())
    }
}

impl LedgerFile for MemoryLedger {
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        self.0.lock().extend_from_slice(line);
        Ok(())
    }

    fn cut(&mut self, n_bytes: u64) -> io::Result<()> {
        self.0.lock().truncate(n_bytes as usize);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_released_soon_is_taken() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("l.jsonl");
        let open = || File::options().append(true).create(true).open(&path);
        let mut first = Some(lock(open().expect("a new file"), || ()).expect("nobody else writes"));
        let mut n_pauses = 0;
        let second = lock(open().expect("it is there"), || {
            n_pauses += 1;
            if n_pauses == 3 {
                first = None;
            }
        });
        assert!(second.is_ok(), "{second:?}");
        let third = lock(open().expect("it is there"), || ());
        assert!(third.is_err(), "it is being written");
    }
}
