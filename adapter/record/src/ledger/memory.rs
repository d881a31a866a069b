//! A ledger stored outside the file system, such as in a database.

use std::io;
use std::sync::Arc;

use parking_lot::Mutex;

use super::file::LedgerFile;

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
        let n_bytes = usize::try_from(n_bytes).unwrap_or(usize::MAX);
        self.0.lock().truncate(n_bytes);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}
