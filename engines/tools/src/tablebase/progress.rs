//! The progress of a build.

use std::fmt;

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
