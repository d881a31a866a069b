//! The state of a build in memory, its progress, and the reasons why none ends with a table.

use std::path::PathBuf;
use std::sync::atomic::AtomicU16;

use kit::Rejection;
use kit::tablebase::{MAX_PLIES, MoveGraph, TableError};

use crate::parallel::Threads;

/// Number of indices that a thread takes at a time.
pub(super) const N_PER_ITEM: u64 = 1 << 14;

/// The state of a build in memory.
#[derive(Debug)]
pub(super) struct Solver<'a, M> {
    pub(super) graph: &'a M,
    /// The codes by index, which threads share. Two threads that write the same cell at once always write the same code,
    /// so no order is needed.
    pub(super) cells: Vec<AtomicU16>,
    pub(super) threads: Threads<'a>,
}

impl<'a, M: MoveGraph> Solver<'a, M> {
    /// Creates a solver in which all positions are open.
    ///
    /// # Errors
    /// The system has no memory for the cells.
    pub(super) fn new(
        graph: &'a M,
        n_indices: u64,
        threads: Threads<'a>,
    ) -> Result<Solver<'a, M>, BuildError> {
        let n_bytes = n_indices * size_of::<AtomicU16>() as u64;
        let short = || BuildError::Memory { n_bytes };
        let n_cells = usize::try_from(n_indices).map_err(|_| short())?;
        let can_allocate = Vec::<u16>::new().try_reserve_exact(n_cells).is_ok();
        // Collected in place: the system clears each page when it is first used, by the thread that uses it.
        let zeros = can_allocate.then(|| vec![0; n_cells]).ok_or_else(short)?;
        Ok(Solver {
            graph,
            cells: zeros.into_iter().map(AtomicU16::new).collect(),
            threads,
        })
    }

    #[inline]
    pub(super) fn cell(&self, number: u64) -> &AtomicU16 {
        &self.cells[number as usize]
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
    /// An end is farther away than a file can hold.
    #[error("a game lasts longer than {MAX_PLIES} plies, the most that a table holds")]
    TooFar,
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
