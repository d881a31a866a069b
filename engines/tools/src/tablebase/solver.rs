//! Shared by the solving orders: the cells and the threads.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use kit::Game;
use kit::parallel::{block, for_each};
use kit::tablebase::MoveGraph;

use super::cells::SharedCode;
use super::progress::BuildError;

/// Number of indices that a thread takes at a time.
pub(super) const N_PER_ITEM: u64 = 1 << 14;

/// The state of a build in memory.
#[derive(Debug)]
pub(super) struct Solver<'a, M, C> {
    pub(super) graph: &'a M,
    pub(super) cells: Vec<C>,
    pub(super) n_threads: usize,
    pub(super) stop: &'a AtomicBool,
}

impl<'a, M, C: SharedCode> Solver<'a, M, C> {
    /// Creates a solver in its initial state.
    ///
    /// # Errors
    /// The system has no memory for the cells.
    pub(super) fn new<G: Game>(
        graph: &'a M,
        n_threads: usize,
        stop: &'a AtomicBool,
    ) -> Result<Solver<'a, M, C>, BuildError>
    where
        M: MoveGraph<G>,
    {
        let n_indices = graph.n_indices();
        let short = || BuildError::Memory {
            n_bytes: n_indices * C::N_BYTES as u64,
        };
        let n_cells = usize::try_from(n_indices).map_err(|_| short())?;
        let cells = C::zeroed(n_cells).map_err(|_| short())?;
        Ok(Solver {
            graph,
            cells,
            n_threads,
            stop,
        })
    }

    /// Calls `work` with pieces of the numbers; each thread has its own walker.
    ///
    /// # Errors
    /// It was stopped.
    pub(super) fn scan<'g, G: Game>(
        &'g self,
        numbers: &Range<u64>,
        work: impl Fn(&mut M::Walker<'g>, Range<u64>) + Sync,
        tell: &mut dyn FnMut(u64, u64),
    ) -> Result<(), BuildError>
    where
        M: MoveGraph<G>,
    {
        let first = numbers.start / N_PER_ITEM;
        let n_items = numbers.end.div_ceil(N_PER_ITEM) - first;
        let is_complete = for_each(
            n_items,
            self.n_threads,
            self.stop,
            || self.graph.walker(),
            |walker, item| {
                let piece = block(first + item, N_PER_ITEM, numbers.end);
                work(walker, piece.start.max(numbers.start)..piece.end);
            },
            &mut |done| tell(done, n_items),
        );
        is_complete.then_some(()).ok_or(BuildError::Stopped)
    }

    #[inline]
    pub(super) fn cell(&self, number: u64) -> &C {
        &self.cells[number as usize]
    }
}
