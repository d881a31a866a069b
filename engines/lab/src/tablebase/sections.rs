//! Solving by distance if all predecessors of a position are in one section. Each section is processed by one thread,
//! which finds all data that it reads and writes in its cache.
//!
//! An open cell counts the moves that do not lead to a win of the opponent. At distance `d`, each position lost in `d -
//! 1` plies makes its open predecessors wins. Each position won in `d - 1` plies decrements the count of its
//! predecessors, once for each move; at zero, the predecessor is lost. A position with a move to a lost one never
//! reaches zero, so the order does not matter. Solved positions go into a list for the next distance.

use std::mem;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

use crate::parallel::{Threads, block};
use kit::Value;
use kit::tablebase::code::{COUNT, UNUSED, code, loss, win};
use kit::tablebase::{InitialValue, MAX_PLIES, MoveGraph, PredecessorBlock, Walker};

use super::solver::{BuildError, BuildProgress, Codes, Solver};

/// Log2 of the number of sections in a bucket: few enough to sort a bucket within the cache.
const BUCKET_BITS: u32 = 6;

/// Entries that a thread collects for a bucket before it appends them.
const CHUNK_LEN: usize = 256;

/// The item in the lowest bits, then a bit for a won position, then the section within its bucket.
type ListEntry = u32;

const WON: ListEntry = 1 << 16;

/// Memory of the cells and the lists in bytes, if not more than one position in 32 is solved at one distance.
pub(super) const fn n_bytes(n_indices: u64) -> u64 {
    2 * n_indices + n_indices / 8
}

pub(super) fn solve<M: MoveGraph>(
    graph: &M,
    n_indices: u64,
    size: u64,
    threads: Threads<'_>,
    on_progress: &mut dyn FnMut(BuildProgress),
) -> Result<Codes, BuildError> {
    assert!(size <= 1 << 16, "an item of a section has two bytes");
    let n_sections = n_indices / size;
    let mut stage = DistanceStage {
        solver: Solver::new(graph, threads, n_indices, (0, AtomicU16::new))?,
        lists: [List::new(n_sections), List::new(n_sections)],
        size,
        n_sections,
        plies: 0,
        n_solved: AtomicU64::new(0),
    };
    stage.find_ends(on_progress)?;
    loop {
        stage.plies += 1;
        let n_before = stage.n_solved.load(Relaxed);
        stage.run(on_progress)?;
        // Distance 1 may be known from the beginning, so the absence of new positions there does not mean the end.
        if stage.n_solved.load(Relaxed) == n_before && stage.plies > 1 {
            break;
        }
        if stage.plies >= MAX_PLIES {
            return Err(BuildError::TooFar { plies: MAX_PLIES });
        }
    }
    let cells = stage.solver.cells;
    Ok(Box::new(move |numbers, codes| {
        let cells = &cells[numbers.start as usize..numbers.end as usize];
        codes.extend(cells.iter().map(|cell| cell.load(Relaxed)));
    }))
}

/// The solving of one distance.
struct DistanceStage<'a, M> {
    solver: Solver<'a, M, AtomicU16>,
    /// The positions solved at even and at odd distances.
    lists: [List; 2],
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

impl<M: MoveGraph> DistanceStage<'_, M> {
    fn report(&self, on_progress: &mut dyn FnMut(BuildProgress), done: u64, of: u64) {
        let (plies, n_solved) = (self.plies, self.n_solved.load(Relaxed));
        let stage = format!("{plies} plies from the end, {n_solved} positions won or lost");
        on_progress(BuildProgress { stage, done, of });
    }

    fn list(&self, plies: u32) -> &List {
        &self.lists[(plies % 2) as usize]
    }

    fn cells(&self, section: u64) -> &[AtomicU16] {
        let numbers = block(section, self.size, self.solver.cells.len() as u64);
        &self.solver.cells[numbers.start as usize..numbers.end as usize]
    }

    /// Stores the initial state of each index.
    fn find_ends(&self, on_progress: &mut dyn FnMut(BuildProgress)) -> Result<(), BuildError> {
        let state = || {
            let writers = self.lists.each_ref().map(List::writer);
            (self.solver.graph.walker(), writers, Vec::new())
        };
        let find = |(walker, writers, ends): &mut (M::Walker<'_>, [Writer<'_>; 2], Vec<_>),
                    section: u64| {
            let numbers = block(section, self.size, self.solver.cells.len() as u64);
            let mut places = numbers.clone().zip(self.cells(section));
            walker.initial_values(numbers.clone(), |slot, n_moves| {
                let (number, cell) = places.next().expect("a slot for each number");
                let code = match slot {
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
                };
                cell.store(code, Relaxed);
            });
            self.n_solved.fetch_add(ends.len() as u64, Relaxed);
            for (number, plies, is_won) in ends.drain(..) {
                writers[plies as usize].push(walker.predecessor_block(number), is_won);
            }
        };
        let on_progress = &mut |done| self.report(on_progress, done, self.n_sections);
        (self.solver).for_each(self.n_sections, state, find, on_progress)
    }

    /// Solves the positions of this distance: the predecessors of those solved at the last one.
    fn run(&self, on_progress: &mut dyn FnMut(BuildProgress)) -> Result<(), BuildError> {
        let before = self.list(self.plies - 1);
        let state = || SectionSolver {
            walker: self.solver.graph.walker(),
            writer: self.list(self.plies).writer(),
            sorted: Sorted::new(),
            won: Vec::new(),
            lost: Vec::new(),
        };
        let work = |worker: &mut SectionSolver<'_, M::Walker<'_>>, bucket| {
            before.take(bucket, &mut worker.sorted);
            for section in before.sections(bucket) {
                worker.solve(section, self.cells(section), self.plies);
                let n_solved = worker.propagate_section(section, self.size);
                self.n_solved.fetch_add(n_solved, Relaxed);
            }
        };
        let n_buckets = before.n_buckets();
        let on_progress = &mut |done| self.report(on_progress, done, n_buckets);
        (self.solver).for_each(n_buckets, state, work, on_progress)
    }
}

impl<W: Walker> SectionSolver<'_, W> {
    /// Solves the predecessors in one section.
    fn solve(&mut self, section: u64, cells: &[AtomicU16], plies: u32) {
        let block_before = |&item: &u16| PredecessorBlock {
            section: section as u32,
            item,
        };
        for block in self.sorted.items(section, false).iter().map(block_before) {
            self.walker.predecessors_in(block, |place| {
                let cell = &cells[usize::from(place)];
                if cell.load(Relaxed) > COUNT {
                    cell.store(win(plies), Relaxed);
                    self.won.push(place);
                }
            });
        }
        for block in self.sorted.items(section, true).iter().map(block_before) {
            self.walker.predecessors_in(block, |place| {
                let cell = &cells[usize::from(place)];
                let n_left = cell.load(Relaxed);
                if n_left > COUNT + 1 {
                    cell.store(n_left - 1, Relaxed);
                } else if n_left == COUNT + 1 {
                    cell.store(loss(plies), Relaxed);
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

/// The positions solved at one distance, roughly sorted by the sections of their predecessors: a bucket for each group of
/// sections.
struct List {
    buckets: Vec<Mutex<Vec<ListEntry>>>,
    n_sections: u64,
}

/// A writer that appends to a list; each thread has its own. Its last entries are in the list once it is dropped.
struct Writer<'a> {
    list: &'a List,
    /// By bucket: entries not yet appended.
    chunks: Vec<Vec<ListEntry>>,
}

/// The entries of a bucket, sorted by section.
struct Sorted {
    /// End of the items of each section and kind; they begin at the end of the previous ones.
    ends: Vec<usize>,
    items: Vec<u16>,
}

impl List {
    /// Creates an empty list for this many sections.
    fn new(n_sections: u64) -> List {
        let n_buckets = n_sections.div_ceil(1 << BUCKET_BITS);
        List {
            buckets: (0..n_buckets).map(|_| Mutex::default()).collect(),
            n_sections,
        }
    }

    fn n_buckets(&self) -> u64 {
        self.buckets.len() as u64
    }

    /// The sections of a bucket.
    fn sections(&self, bucket: u64) -> Range<u64> {
        let first = bucket << BUCKET_BITS;
        first..(first + (1 << BUCKET_BITS)).min(self.n_sections)
    }

    fn writer(&self) -> Writer<'_> {
        Writer {
            list: self,
            chunks: vec![Vec::new(); self.buckets.len()],
        }
    }

    /// Removes the entries of a bucket and sorts them into `sorted`.
    fn take(&self, bucket: u64, sorted: &mut Sorted) {
        sorted.sort(&mem::take(&mut *self.lock(bucket as usize)));
    }

    fn lock(&self, bucket: usize) -> MutexGuard<'_, Vec<ListEntry>> {
        let bucket = self.buckets[bucket].lock();
        bucket.expect("no holder of this lock panics")
    }
}

impl Writer<'_> {
    #[inline]
    fn push(&mut self, block_before: PredecessorBlock, is_won: bool) {
        let bucket = (block_before.section >> BUCKET_BITS) as usize;
        let place = block_before.section & ((1 << BUCKET_BITS) - 1);
        let chunk = &mut self.chunks[bucket];
        chunk.push(place << 17 | u32::from(is_won) << 16 | u32::from(block_before.item));
        if chunk.len() == CHUNK_LEN {
            self.list.lock(bucket).append(chunk);
        }
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        for (bucket, chunk) in self.chunks.iter_mut().enumerate() {
            self.list.lock(bucket).append(chunk);
        }
    }
}

impl Sorted {
    fn new() -> Sorted {
        Sorted {
            ends: vec![0; 2 << BUCKET_BITS],
            items: Vec::new(),
        }
    }

    /// The won or the lost items of a section of the bucket.
    fn items(&self, section: u64, is_won: bool) -> &[u16] {
        let place = section as usize % (1 << BUCKET_BITS);
        let kind = 2 * place + usize::from(is_won);
        let start = kind.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..self.ends[kind]]
    }

    /// Counting sort.
    fn sort(&mut self, entries: &[ListEntry]) {
        self.ends.fill(0);
        for entry in entries {
            self.ends[(entry / WON) as usize] += 1;
        }
        let mut start = 0;
        for end in &mut self.ends {
            start += mem::replace(end, start);
        }
        self.items.clear();
        self.items.resize(entries.len(), 0);
        for entry in entries {
            let end = &mut self.ends[(entry / WON) as usize];
            self.items[*end] = *entry as u16;
            *end += 1;
        }
    }
}
