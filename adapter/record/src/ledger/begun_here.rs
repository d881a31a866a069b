//! The ledgers that were begun on this machine: a file with the SHA-256 hashes of their first lines.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use crate::digest::hash_of;

/// The list of the ledgers that were begun on this machine.
#[derive(Debug, Clone)]
pub struct BegunHere(PathBuf);

impl BegunHere {
    /// The list in this file, which may not exist yet.
    pub fn new(file: PathBuf) -> BegunHere {
        BegunHere(file)
    }

    /// `true` if a ledger with this first line, given without its line break, was begun here.
    pub fn contains(&self, first_line: &[u8]) -> bool {
        let hash = hash_of(first_line);
        fs::read_to_string(&self.0).is_ok_and(|list| list.lines().any(|line| line == hash))
    }

    /// Adds a ledger by its first line.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&self, first_line: &[u8]) -> io::Result<()> {
        if let Some(folder) = self.0.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut list = File::options().create(true).append(true).open(&self.0)?;
        // One write, so that programs that run at the same time do not mix their lines.
        list.write_all(format!("{}\n", hash_of(first_line.trim_ascii_end())).as_bytes())
    }
}
