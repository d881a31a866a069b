//! The file of a table: a header, a directory, and blocks of values and of distances, each compressed separately.
//! `spec/lab.md` documents the format.

mod block;
mod header;
mod read;

use std::fmt::Display;
use std::path::{Path, PathBuf};

pub use block::{N_PER_BLOCK, pack};
pub use header::{BlockEntry, Counts, Identity, PackedPart, TableInfo, encode};
pub use read::{TableFile, read_info};

/// The reason why a table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file cannot be opened, read or written, is damaged, or is not the table that was expected.
    #[error("{}: {what}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error.
        what: String,
    },
    /// The folder does not contain the table.
    #[error("none of the {n_tables} tables in {} is one of {expected}", folder.display())]
    Absent {
        /// The folder.
        folder: PathBuf,
        /// The table that was looked for.
        expected: Identity,
        /// Number of tables in the folder, of any game.
        n_tables: usize,
    },
}

impl TableError {
    /// Turns the reason why this file cannot be used into an error.
    pub fn at<E: Display>(path: &Path) -> impl Fn(E) -> TableError {
        let path = path.to_owned();
        move |why| TableError::File {
            path: path.clone(),
            what: why.to_string(),
        }
    }
}
