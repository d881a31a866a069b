//! The progress of a build, and the reasons why none ends with a table.

use std::fmt;
use std::path::PathBuf;

use kit::Rejection;
use kit::tablebase::TableError;

/// The progress of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildProgress {
    /// Layers are solved.
    Layers {
        /// Indices solved.
        n_solved: u64,
        /// Their total.
        n_indices: u64,
    },
    /// Positions at one distance to the end are solved. How many distances there are is not known before.
    Distance {
        /// The distance, in plies.
        plies: u32,
        /// Positions found won or lost so far.
        n_solved: u64,
        /// Pieces of this distance that are done.
        done: u64,
        /// Their total.
        of: u64,
    },
    /// The file is written.
    Writing {
        /// Blocks done.
        done: u64,
        /// Their total.
        of: u64,
    },
}

impl fmt::Display for BuildProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildProgress::Layers { n_solved, .. } => write!(f, "{n_solved} positions solved"),
            BuildProgress::Distance {
                plies, n_solved, ..
            } => {
                write!(
                    f,
                    "{plies} plies from the end, {n_solved} positions won or lost"
                )
            }
            BuildProgress::Writing { .. } => f.write_str("writing the table"),
        }
    }
}

/// A reason why a table was not built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// There is no table of this game by these options.
    #[error("{0}")]
    Options(Rejection),
    /// The system does not give so much memory.
    #[error("the table needs {} MiB of memory, more than is available", n_bytes.div_ceil(1 << 20))]
    Memory {
        /// Bytes for the positions.
        n_bytes: u64,
    },
    /// An end is farther away than the game promises, or than a file can hold.
    #[error("a game lasts longer than {plies} plies, the expected maximum")]
    TooFar {
        /// The longest distance that was expected, in plies.
        plies: u32,
    },
    /// There is a file of this name.
    #[error("{}: exists: expected a new file", .0.display())]
    Exists(PathBuf),
    /// Another build writes this file.
    #[error("{}: another build writes this table", .0.display())]
    Locked(PathBuf),
    /// The stop flag was set.
    #[error("stopped: nothing was written")]
    Stopped,
    /// A file cannot be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
}
