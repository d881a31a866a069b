//! The state of a build in memory, its progress, and the reasons why none ends with a table.

use std::ops::Range;
use std::path::PathBuf;

use kit::Rejection;
use kit::tablebase::{MoveGraph, TableError};

use crate::parallel::Threads;

/// Number of indices that a thread takes at a time.
pub(super) const N_PER_ITEM: u64 = 1 << 14;

/// Appends the codes of these indices, all solved.
pub(super) type Codes = Box<dyn Fn(Range<u64>, &mut Vec<u16>) + Sync>;

/// The state of a build in memory.
#[derive(Debug)]
pub(super) struct Solver<'a, M, C> {
    pub(super) graph: &'a M,
    /// By index, shared by the threads. Two threads that write the same cell at once always write the same value, so no
    /// order is needed.
    pub(super) cells: Vec<C>,
    pub(super) threads: Threads<'a>,
}

impl<'a, M: MoveGraph, C> Solver<'a, M, C> {
    /// Creates a solver in which all positions are open, which is the number 0 in their cells.
    ///
    /// # Errors
    /// The system has no memory for the cells.
    pub(super) fn new<N: Clone>(
        graph: &'a M,
        threads: Threads<'a>,
        n_indices: u64,
        (zero, cell): (N, impl Fn(N) -> C),
    ) -> Result<Solver<'a, M, C>, BuildError> {
        let n_bytes = n_indices * size_of::<C>() as u64;
        let short = || BuildError::Memory { n_bytes };
        let n_cells = usize::try_from(n_indices).map_err(|_| short())?;
        let can_allocate = Vec::<N>::new().try_reserve_exact(n_cells).is_ok();
        // Collected in place: the system clears each page when it is first used, by the thread that uses it.
        let zeros = can_allocate
            .then(|| vec![zero; n_cells])
            .ok_or_else(short)?;
        Ok(Solver {
            graph,
            cells: zeros.into_iter().map(cell).collect(),
            threads,
        })
    }

    /// As [`Threads::for_each`].
    ///
    /// # Errors
    /// [`BuildError::Stopped`] if the build was stopped before all items were done.
    pub(super) fn for_each<S>(
        &self,
        n_items: u64,
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, u64) + Sync,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<(), BuildError> {
        match self.threads.for_each(n_items, state, work, on_progress) {
            true => Ok(()),
            false => Err(BuildError::Stopped),
        }
    }
}

/// The progress of a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildProgress {
    /// The stage, and what it has found.
    pub stage: String,
    /// Pieces of the stage that are done. How many stages there are is not known before.
    pub done: u64,
    /// Their total.
    pub of: u64,
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
    /// An end is farther away than a cell can hold.
    #[error("a game lasts longer than {plies} plies, the most that this table can hold")]
    TooFar {
        /// The longest distance.
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
