//! Why a table cannot be used.

use std::io;
use std::path::{Path, PathBuf};

/// The reason why a table cannot be used, with the file.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The system cannot open, read or write the file.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The file is not a table, or is one of another version, game or board.
    #[error("{}: {what}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The file's content, and what was expected.
        what: String,
    },
    /// The file is a table, but bytes are missing or changed.
    #[error("{}: damaged table: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The inconsistency.
        what: String,
    },
}

impl TableError {
    /// The error of a system call on this file.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> TableError {
        let path = path.to_owned();
        move |error| TableError::Io { path, error }
    }

    /// The error of a file with other content than expected.
    pub fn foreign(path: &Path, what: impl Into<String>) -> TableError {
        let (path, what) = (path.to_owned(), what.into());
        TableError::Foreign { path, what }
    }

    /// The error of a damaged table.
    pub fn damaged(path: &Path, what: impl Into<String>) -> TableError {
        let (path, what) = (path.to_owned(), what.into());
        TableError::Damaged { path, what }
    }
}
