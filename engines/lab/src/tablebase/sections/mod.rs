//! Solving by distance if all predecessors of a position are in one section. Each section is processed by one thread,
//! which finds all data that it reads and writes in its cache.
//!
//! An open cell counts the moves that do not lead to a win of the opponent. At distance `d`, each position lost in `d -
//! 1` plies makes its open predecessors wins. Each position won in `d - 1` plies decrements the count of its
//! predecessors, once for each move; at zero, the predecessor is lost. A position with a move to a lost one never
//! reaches zero, so the order does not matter.
//!
//! Solved positions go into a list for the next distance. If memory is short, the cells are searched for it instead, in
//! as many rounds as memory demands.

mod lists;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

pub(super) use lists::n_list_bytes;
use lists::{Lists, Sorted, Writer};

use crate::parallel::{Threads, block};
use kit::Value;
use kit::tablebase::code::{COUNT, UNUSED, code, loss, win};
use kit::tablebase::{InitialValue, MoveGraph, PredecessorBlock, Walker};

use super::progress::{BuildError, BuildProgress};
use super::solver::{SharedCode, Solver};

pub(super) fn run<M: MoveGraph, C: SharedCode>(
    solver: &Solver<'_, M, C>,
    size: u64,
    on_progress: &mut dyn FnMut(BuildProgress),
) -> Result<(), BuildError> {
    assert!(
        C::N_BYTES == 2 && size <= 1 << 16,
        "counts and sections of this size"
    );
    let n_sections = solver.cells.len() as u64 / size;
    let lists = Lists::new(n_sections, size, solver.threads.count);
    let mut stage = DistanceStage {
        solver,
        lists: &lists,
        size,
        n_sections,
        plies: 0,
        n_solved: AtomicU64::new(0),
    };
    stage.find_ends(on_progress)?;
    let longest = M::MAX_PLIES.min(C::MAX_PLIES);
    loop {
        stage.plies += 1;
        let n_before = stage.n_solved.load(Relaxed);
        stage.run(on_progress)?;
        // Distance 1 may be known from the beginning, so the absence of new positions there does not mean the end.
        if stage.n_solved.load(Relaxed) == n_before && stage.plies > 1 {
            return Ok(());
        }
        if stage.plies >= longest {
            return Err(BuildError::TooFar { plies: longest });
        }
    }
}

/// The solving of one distance.
struct DistanceStage<'s, 'a, M, C> {
    solver: &'s Solver<'a, M, C>,
    lists: &'s Lists,
    /// Indices in a section.
    size: u64,
    n_sections: u64,
    /// The distance being solved, in plies.
    plies: u32,
    n_solved: AtomicU64,
}

/// The working data of a thread.
struct SectionSolver<'w, W> {
    walker: W,
    writer: Writer<'w>,
    sorted: Sorted,
    /// Offsets in the section of the positions just won.
    won: Vec<u16>,
    lost: Vec<u16>,
}

impl<M: MoveGraph, C: SharedCode> DistanceStage<'_, '_, M, C> {
    fn report(&self, on_progress: &mut dyn FnMut(BuildProgress), done: u64, of: u64) {
        let n_solved = self.n_solved.load(Relaxed);
        on_progress(BuildProgress::distance(self.plies, n_solved, done, of));
    }

    fn cells(&self, section: u64) -> &[C] {
        let numbers = block(section, self.size, self.solver.cells.len() as u64);
        &self.solver.cells[numbers.start as usize..numbers.end as usize]
    }

    /// Stores the initial state of each index.
    fn find_ends(&self, on_progress: &mut dyn FnMut(BuildProgress)) -> Result<(), BuildError> {
        let state = || {
            let writers = [0, 1].map(|plies| self.lists.writer(plies));
            (self.solver.graph.walker(), writers, Vec::new())
        };
        let find = |(walker, writers, ends): &mut (M::Walker<'_>, [Writer<'_>; 2], Vec<_>),
                    section: u64| {
            let numbers = block(section, self.size, self.solver.cells.len() as u64);
            let mut places = numbers.clone().zip(self.cells(section));
            walker.initial_values(numbers.clone(), |slot, n_moves| {
                let (number, cell) = places.next().expect("a slot for each number");
                cell.store(match slot {
                    InitialValue::Open => COUNT + n_moves,
                    InitialValue::Unused => UNUSED,
                    InitialValue::Known(value) => {
                        match value {
                            Value::Win(plies) => ends.push((number, plies, true)),
                            Value::Loss(plies) => ends.push((number, plies, false)),
                            Value::Draw => {}
                        }
                        code(value)
                    }
                });
            });
            self.n_solved.fetch_add(ends.len() as u64, Relaxed);
            for (number, plies, is_won) in ends.drain(..) {
                writers[plies as usize].push(walker.predecessor_block(number), is_won);
            }
        };
        let on_progress = &mut |done| self.report(on_progress, done, self.n_sections);
        (self.solver).for_each(self.n_sections, state, find, on_progress)
    }

    /// Solves the positions of this distance.
    fn run(&self, on_progress: &mut dyn FnMut(BuildProgress)) -> Result<(), BuildError> {
        let before = self.plies - 1;
        if self.lists.is_complete(before) {
            return self.apply(&mut |done| self.report(on_progress, done, self.lists.n_buckets()));
        }
        self.lists.clear(before, true);
        let mut n_done = 0;
        while n_done < self.n_sections {
            if self.lists.is_half_full() {
                self.lists.clear(self.plies, false);
            }
            n_done += self.list_some(n_done);
            assert!(
                self.lists.is_complete(before),
                "half of the memory is enough for this"
            );
            self.apply(&mut |_| {})?;
            self.report(on_progress, n_done, self.n_sections);
        }
        Ok(())
    }

    /// Lists the positions solved at the previous distance, section by section from `first`, until half of the memory
    /// is in use or the build is stopped. Returns the number of sections processed.
    fn list_some(&self, first: u64) -> u64 {
        let before = self.plies - 1;
        let is_full = AtomicBool::new(false);
        let n_done = AtomicU64::new(0);
        let state = || (self.solver.graph.walker(), self.lists.writer(before));
        let list = |(walker, writer): &mut (M::Walker<'_>, Writer<'_>), item| {
            let section = first + item;
            for (cell, number) in self.cells(section).iter().zip(section * self.size..) {
                let code = cell.load();
                let is_won = code == win(before);
                if is_won || code == loss(before) {
                    writer.push(walker.predecessor_block(number), is_won);
                }
            }
            n_done.fetch_add(1, Relaxed);
            let is_over = self.lists.is_half_full() || self.solver.threads.stop.load(Relaxed);
            is_full.fetch_or(is_over, Relaxed);
        };
        let n_items = self.n_sections - first;
        let threads = Threads {
            stop: &is_full,
            ..self.solver.threads
        };
        threads.for_each(n_items, state, list, &mut |_| {});
        n_done.into_inner()
    }

    /// Solves the predecessors of the listed positions.
    fn apply(&self, on_progress: &mut dyn FnMut(u64)) -> Result<(), BuildError> {
        let state = || SectionSolver {
            walker: self.solver.graph.walker(),
            writer: self.lists.writer(self.plies),
            sorted: Sorted::new(),
            won: Vec::new(),
            lost: Vec::new(),
        };
        let work = |worker: &mut SectionSolver<'_, M::Walker<'_>>, bucket| {
            self.lists.take(self.plies - 1, bucket, &mut worker.sorted);
            for section in self.lists.sections(bucket) {
                worker.solve(section, self.cells(section), self.plies);
                let n_solved = worker.propagate_section(section, self.size);
                self.n_solved.fetch_add(n_solved, Relaxed);
            }
        };
        let n_buckets = self.lists.n_buckets();
        self.solver.for_each(n_buckets, state, work, on_progress)
    }
}

impl<W: Walker> SectionSolver<'_, W> {
    /// Solves the predecessors in one section.
    fn solve<C: SharedCode>(&mut self, section: u64, cells: &[C], plies: u32) {
        let block_before = |&item: &u16| PredecessorBlock {
            section: section as u32,
            item,
        };
        for block in self.sorted.items(section, false).iter().map(block_before) {
            self.walker.predecessors_in(block, |place| {
                let cell = &cells[usize::from(place)];
                if cell.load() > COUNT {
                    cell.store(win(plies));
                    self.won.push(place);
                }
            });
        }
        for block in self.sorted.items(section, true).iter().map(block_before) {
            self.walker.predecessors_in(block, |place| {
                let cell = &cells[usize::from(place)];
                let n_left = cell.load();
                if n_left > COUNT + 1 {
                    cell.store(n_left - 1);
                } else if n_left == COUNT + 1 {
                    cell.store(loss(plies));
                    self.lost.push(place);
                }
            });
        }
    }

    /// Appends the positions just solved to the list for the next distance. Returns their number.
    fn propagate_section(&mut self, section: u64, size: u64) -> u64 {
        let n_solved = self.won.len() + self.lost.len();
        for (places, is_won) in [(&mut self.won, true), (&mut self.lost, false)] {
            for place in places.drain(..) {
                let number = section * size + u64::from(place);
                self.writer
                    .push(self.walker.predecessor_block(number), is_won);
            }
        }
        n_solved as u64
    }
}
