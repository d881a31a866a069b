//! The progress of a build, and the reasons why none ends with a table.

use std::path::PathBuf;

use kit::Rejection;
use kit::tablebase::TableError;

/// The progress of a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildProgress {
    /// The stage, and what it has found.
    pub stage: String,
    /// Pieces of the stage that are done. How many distances there are is not known before.
    pub done: u64,
    /// Their total.
    pub of: u64,
}

impl BuildProgress {
    /// Positions at this distance to the end are solved; so many have been found won or lost.
    pub(super) fn distance(plies: u32, n_solved: u64, done: u64, of: u64) -> BuildProgress {
        let stage = format!("{plies} plies from the end, {n_solved} positions won or lost");
        BuildProgress { stage, done, of }
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
    #[error("{}: exists: name a new file", .0.display())]
    Exists(PathBuf),
    /// Another build writes this file, or it cannot be locked.
    #[error("{0}")]
    Locked(Rejection),
    /// The stop flag was set.
    #[error("stopped: nothing was written")]
    Stopped,
    /// A file cannot be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
}
