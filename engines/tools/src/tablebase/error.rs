//! Reasons why a table was not built.

use std::fmt;
use std::path::PathBuf;

use kit::Rejection;
use kit::tablebase::TableError;

/// A reason why a table was not built.
#[derive(Debug)]
pub enum BuildError {
    /// There is no table of this game by these options.
    Options(Rejection),
    /// The system does not give so much memory.
    Memory {
        /// Bytes for the positions.
        n_bytes: u64,
    },
    /// An end is farther away than the game promises, or than a file can hold.
    TooFar {
        /// The longest distance that was expected, in plies.
        plies: u32,
    },
    /// There is a file of this name.
    Exists(PathBuf),
    /// Another build writes this file.
    Locked(PathBuf),
    /// The stop flag was set.
    Stopped,
    /// A file cannot be read or written.
    Table(TableError),
}

impl From<TableError> for BuildError {
    fn from(error: TableError) -> BuildError {
        BuildError::Table(error)
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
                    "the table needs {mib} MiB of memory, more than is available"
                )
            }
            BuildError::TooFar { plies } => {
                write!(
                    f,
                    "a game lasts longer than {plies} plies, the expected maximum"
                )
            }
            BuildError::Exists(path) => {
                write!(f, "{}: exists: expected a new file", path.display())
            }
            BuildError::Locked(path) => {
                write!(f, "{}: another build writes this table", path.display())
            }
            BuildError::Stopped => f.write_str("stopped: nothing was written"),
            BuildError::Table(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {}
