//! Shared by the solving orders: the cells and the threads.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

use kit::tablebase::MoveGraph;

use super::progress::BuildError;
use crate::parallel::Threads;

/// Number of indices that a thread takes at a time.
pub(super) const N_PER_ITEM: u64 = 1 << 14;

/// The state of a build in memory.
#[derive(Debug)]
pub(super) struct Solver<'a, M, C> {
    pub(super) graph: &'a M,
    pub(super) cells: Vec<C>,
    pub(super) threads: Threads<'a>,
}

impl<'a, M: MoveGraph, C: SharedCode> Solver<'a, M, C> {
    /// Creates a solver in its initial state.
    ///
    /// # Errors
    /// The system has no memory for the cells.
    pub(super) fn new(
        graph: &'a M,
        n_indices: u64,
        threads: Threads<'a>,
    ) -> Result<Solver<'a, M, C>, BuildError> {
        let short = || BuildError::Memory {
            n_bytes: n_indices * C::N_BYTES as u64,
        };
        let n_cells = usize::try_from(n_indices).map_err(|_| short())?;
        let cells = C::zeroed(n_cells).map_err(|_| short())?;
        Ok(Solver {
            graph,
            cells,
            threads,
        })
    }

    #[inline]
    pub(super) fn cell(&self, number: u64) -> &C {
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

/// A code that threads share. Two threads that write the same cell at once always write the same code, so no order is
/// needed.
pub(super) trait SharedCode: Sized + Send + Sync {
    /// The distance that it can hold.
    const MAX_PLIES: u32;
    const N_BYTES: usize;

    /// Cells of code 0. The system clears each page when it is first used, by the thread that uses it.
    fn zeroed(n: usize) -> Result<Vec<Self>, TryReserveError>;
    fn load(&self) -> u16;
    fn store(&self, code: u16);
}

macro_rules! shared_code {
    ($atomic:ident, $code:ident, $max_plies:path) => {
        impl SharedCode for $atomic {
            const MAX_PLIES: u32 = $max_plies;
            const N_BYTES: usize = size_of::<$code>();

            fn zeroed(n: usize) -> Result<Vec<$atomic>, TryReserveError> {
                Vec::<$code>::new().try_reserve_exact(n)?;
                // Compiled to nothing but a change of the type.
                Ok(vec![0; n].into_iter().map($atomic::new).collect())
            }

            #[inline]
            fn load(&self) -> u16 {
                u16::from($atomic::load(self, Relaxed))
            }

            #[inline]
            fn store(&self, code: u16) {
                $atomic::store(self, code as $code, Relaxed);
            }
        }
    };
}

shared_code!(AtomicU8, u8, kit::tablebase::MAX_PLIES_OF_BYTE);
shared_code!(AtomicU16, u16, kit::tablebase::MAX_PLIES);
