//! Errors of reading and building tables.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::Rejection;

/// The reason why a table cannot be used, with the file.
#[derive(Debug)]
pub enum TableError {
    /// The system cannot open, read or write the file.
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The file is not a table, or is one of another version, game or board.
    Foreign {
        /// The file.
        path: PathBuf,
        /// The file's content, and what was expected.
        what: String,
    },
    /// The file is a table, but bytes are missing or changed.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The inconsistency.
        what: String,
    },
}

/// The reason why a table was not built.
#[derive(Debug)]
pub enum BuildError {
    /// The game has no table for these options.
    Options(Rejection),
    /// The system does not have enough memory.
    Memory {
        /// Bytes for the positions.
        n_bytes: u64,
    },
    /// An end is farther away than the game declares, or than a file can hold.
    TooFar {
        /// Maximum distance that was expected, in plies.
        plies: u32,
    },
    /// A file of this name exists.
    Exists(PathBuf),
    /// Another build is writing this file.
    Locked(PathBuf),
    /// The build was stopped. It can be resumed from this snapshot; `None` if no stage was complete.
    Stopped(Option<PathBuf>),
    /// A file cannot be read or written.
    Table(TableError),
}

impl TableError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> TableError {
        let path = path.to_owned();
        move |error| TableError::Io { path, error }
    }

    pub(super) fn foreign(path: &Path, what: impl Into<String>) -> TableError {
        let (path, what) = (path.to_owned(), what.into());
        TableError::Foreign { path, what }
    }

    pub(super) fn damaged(path: &Path, what: impl Into<String>) -> TableError {
        let (path, what) = (path.to_owned(), what.into());
        TableError::Damaged { path, what }
    }
}

impl From<TableError> for BuildError {
    fn from(error: TableError) -> BuildError {
        BuildError::Table(error)
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Io { path, error } => write!(f, "{}: {error}", path.display()),
            TableError::Foreign { path, what } => write!(f, "{}: {what}", path.display()),
            TableError::Damaged { path, what } => {
                write!(f, "{}: damaged table: {what}", path.display())
            }
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Options(why) => why.fmt(f),
            BuildError::Memory { n_bytes } => {
                let mib = n_bytes.div_ceil(1 << 20);
                write!(
                    f,
                    "the table needs {mib} MiB of memory, more than the system gives"
                )
            }
            BuildError::TooFar { plies } => {
                write!(
                    f,
                    "a game lasts longer than {plies} plies, the longest that was expected"
                )
            }
            BuildError::Exists(path) => {
                write!(f, "{}: exists: expected a new file", path.display())
            }
            BuildError::Locked(path) => {
                write!(f, "{}: another build writes this table", path.display())
            }
            BuildError::Stopped(None) => {
                f.write_str("stopped in the first stage: the same command begins anew")
            }
            BuildError::Stopped(Some(path)) => {
                write!(
                    f,
                    "stopped: the same command resumes from {}",
                    path.display()
                )
            }
            BuildError::Table(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TableError {}
impl std::error::Error for BuildError {}
