//! Shared by the solving orders: the cells and the threads.

use std::collections::TryReserveError;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, Ordering::Relaxed};

use kit::Game;
use kit::parallel::{block, for_each};
use kit::tablebase::MoveGraph;
use kit::tablebase::code::win;

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

/// `true` if this is the code of a win in fewer plies than `plies`.
#[inline]
pub(super) const fn is_win_before(code: u16, plies: u32) -> bool {
    code >= win(0) && code.is_multiple_of(2) && code < win(plies)
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

#[cfg(test)]
mod tests {
    use super::*;
    use kit::tablebase::code::{CANDIDATE, DRAW, OPEN, UNUSED, loss};

    #[test]
    fn only_nearer_wins_are_wins_before() {
        assert!(is_win_before(win(2), 3));
        for code in [win(3), win(4), loss(1), OPEN, CANDIDATE, DRAW, UNUSED] {
            assert!(!is_win_before(code, 3), "{code}");
        }
    }
}
