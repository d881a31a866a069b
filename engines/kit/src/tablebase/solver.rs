//! The common part of the solving orders: cells, threads and progress reports.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::cells::Cell;
use super::numbering::{MoveGraph, Order};
use super::{BuildError, Progress, distance, layers, sections};
use crate::Game;
use crate::parallel::{block, for_each};

/// Number of indices that a thread takes at a time.
pub(super) const N_PER_ITEM: u64 = 1 << 14;

/// The state of a build in memory.
#[derive(Debug)]
pub(super) struct Solver<'a, M, C> {
    pub(super) graph: &'a M,
    pub(super) cells: Vec<C>,
    /// The layer or distance to solve next; all earlier ones are complete.
    pub(super) stage: u32,
    pub(super) n_threads: usize,
    pub(super) stop: &'a AtomicBool,
}

/// The result of running a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Run {
    Complete,
    /// The solver can resume from its stage.
    Stopped,
}

/// Called after each stage except the last; an error ends the build.
pub(super) type AfterStage<'a, 'g, M, C> =
    &'a mut dyn FnMut(&Solver<'g, M, C>, &mut dyn FnMut(Progress)) -> Result<(), BuildError>;

impl<'a, M, C: Cell> Solver<'a, M, C> {
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
        let n_numbers = graph.n_numbers();
        let short = || BuildError::Memory {
            n_bytes: n_numbers * C::N_BYTES as u64,
        };
        let n_cells = usize::try_from(n_numbers).map_err(|_| short())?;
        let cells = C::zeroed(n_cells).map_err(|_| short())?;
        Ok(Solver {
            graph,
            cells,
            stage: 0,
            n_threads,
            stop,
        })
    }

    /// Solves the remaining stages.
    pub(super) fn run<G: Game>(
        &mut self,
        tell: &mut dyn FnMut(Progress),
        after_stage: AfterStage<'_, 'a, M, C>,
    ) -> Result<Run, BuildError>
    where
        M: MoveGraph<G>,
    {
        match self.graph.order() {
            Order::Layers(order) => layers::run(self, &order, tell, after_stage),
            Order::Distance => distance::run(self, tell, after_stage),
            Order::Sections { size } => sections::run(self, size, tell, after_stage),
        }
    }

    /// Calls `work` with ranges of the indices; each thread has a separate walker.
    pub(super) fn scan<'g, G: Game>(
        &'g self,
        numbers: &Range<u64>,
        work: impl Fn(&mut M::Walker<'g>, Range<u64>) + Sync,
        tell: &mut dyn FnMut(u64, u64),
    ) -> Run
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
        if is_complete {
            Run::Complete
        } else {
            Run::Stopped
        }
    }

    #[inline]
    pub(super) fn cell(&self, number: u64) -> &C {
        &self.cells[number as usize]
    }
}
