//! Solving by moves forward alone. `sections` solves games in which the predecessors of a position are close together in
//! memory.
//!
//! Most games are solved by distance to the end: at distance `d` a sweep looks at each open position. It is won in `d` if
//! a move leads to a loss in `d - 1`, and lost in `d` if all moves lead to wins in fewer plies. What other threads store in
//! the same sweep has the distance `d` itself, so it does not matter whether it is seen. In a game with
//! [layers](MoveGraph::layers), no move leads back, and one sweep over each layer finds all distances.
//!
//! A cell is a score in one byte: 127 - `d` for a win in `d` plies, `d` - 127 for a loss, so that the best move of a
//! position leads to the least cell.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicI8, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::parallel::{Threads, block};
use kit::Value;
use kit::tablebase::{InitialValue, MoveGraph, Successor, Walker, code};

use super::solver::{BuildError, BuildProgress, Codes, N_PER_ITEM, Solver};

/// A position without a known value; when solving is done, a draw.
const OPEN: i8 = 0;
/// A draw from the beginning.
const DRAW: i8 = 1;
/// An index that no position has.
const UNUSED: i8 = i8::MIN;
/// A win in 0 plies.
const WON: i8 = i8::MAX;
/// The longest distance that a table may have. One ply more fits too, and is an error.
const MAX_PLIES: u32 = 124;

pub(super) fn solve<M: MoveGraph>(
    graph: &M,
    n_indices: u64,
    threads: Threads<'_>,
    on_progress: &mut dyn FnMut(BuildProgress),
) -> Result<Codes, BuildError> {
    let mut sweeps = Sweeps {
        solver: Solver::new(graph, threads, n_indices, (OPEN, AtomicI8::new))?,
        n_solved: AtomicU64::new(0),
        longest: AtomicU32::new(0),
        on_progress,
    };
    sweeps.sweep("0 plies from the end", 0..n_indices, [0, 0])?;
    let mut start = 0;
    for end in graph.layers() {
        let stage = format!("the layer from position {start} to {end}");
        sweeps.sweep(&stage, start..end, [1, u32::MAX])?;
        start = end;
    }
    for plies in 1.. {
        let stage = format!("{plies} plies from the end");
        let n_found = sweeps.sweep(&stage, start..n_indices, [plies, plies])?;
        // Distance 1 may be known from the beginning, so the absence of new positions there does not mean the end.
        if n_found == 0 && plies > 1 {
            break;
        }
    }
    let cells = sweeps.solver.cells;
    Ok(Box::new(move |numbers, codes| {
        let cells = &cells[numbers.start as usize..numbers.end as usize];
        codes.extend(cells.iter().map(|cell| code_of(cell.load(Relaxed))));
    }))
}

/// The data that all sweeps share.
struct Sweeps<'s, 'a, M> {
    solver: Solver<'a, M, AtomicI8>,
    /// Positions won or lost so far, and the longest distance of these.
    n_solved: AtomicU64,
    longest: AtomicU32,
    on_progress: &'s mut dyn FnMut(BuildProgress),
}

impl<M: MoveGraph> Sweeps<'_, '_, M> {
    /// Solves the open positions among these at the distances from the first to the last; those at distance 0 are known
    /// before. Returns the number of those won and lost.
    fn sweep(
        &mut self,
        stage: &str,
        numbers: Range<u64>,
        distances: [u32; 2],
    ) -> Result<u64, BuildError> {
        let (solver, n_solved, longest) = (&self.solver, &self.n_solved, &self.longest);
        let n_before = n_solved.load(Relaxed);
        let of = (numbers.end - numbers.start).div_ceil(N_PER_ITEM);
        let work = |walker: &mut M::Walker<'_>, item| {
            let (mut n_found, mut farthest) = (0, 0);
            let block = block(item, N_PER_ITEM, numbers.end - numbers.start);
            let first = numbers.start + block.start;
            let cells = &solver.cells[first as usize..(numbers.start + block.end) as usize];
            let open = (first..)
                .zip(cells)
                .filter(|(_, cell)| cell.load(Relaxed) == OPEN);
            for (number, cell) in open {
                let found = match distances {
                    [_, 0] => initial_cell(walker, number),
                    _ => solve_one(&solver.cells, walker, number, distances),
                };
                cell.store(found, Relaxed);
                if let Some(plies) = plies_of(found) {
                    n_found += 1;
                    farthest = farthest.max(plies);
                }
            }
            n_solved.fetch_add(n_found, Relaxed);
            longest.fetch_max(farthest, Relaxed);
        };
        let walker = || solver.graph.walker();
        solver.for_each(of, walker, work, &mut |done| {
            let n_solved = n_solved.load(Relaxed);
            let stage = format!("{stage}, {n_solved} positions won or lost");
            (self.on_progress)(BuildProgress { stage, done, of });
        })?;
        match longest.load(Relaxed) > MAX_PLIES {
            true => Err(BuildError::TooFar { plies: MAX_PLIES }),
            false => Ok(n_solved.load(Relaxed) - n_before),
        }
    }
}

/// The cell of a value.
fn cell_of(value: Value) -> i8 {
    let score = |plies: u32| WON - plies.min(MAX_PLIES + 1) as i8;
    match value {
        Value::Win(plies) => score(plies),
        Value::Loss(plies) => -score(plies),
        Value::Draw => DRAW,
    }
}

/// The distance of a position that is won or lost.
fn plies_of(cell: i8) -> Option<u32> {
    let is_decided = cell > DRAW || cell < -DRAW && cell != UNUSED;
    is_decided.then(|| u32::from((WON - cell.abs()) as u8))
}

/// The code of a cell in the file.
fn code_of(cell: i8) -> u16 {
    match plies_of(cell) {
        Some(plies) if cell > 0 => code::win(plies),
        Some(plies) => code::loss(plies),
        None if cell == UNUSED => code::UNUSED,
        None => code::DRAW,
    }
}

/// The cell of an index before solving.
fn initial_cell(walker: &mut impl Walker, number: u64) -> i8 {
    match walker.initial_value(number) {
        InitialValue::Open => OPEN,
        InitialValue::Unused => UNUSED,
        InitialValue::Known(value) => cell_of(value),
    }
}

/// The cell of an open position at one of these distances; [`OPEN`] if it is farther from the end, or a draw.
fn solve_one(
    cells: &[AtomicI8],
    walker: &mut impl Walker,
    number: u64,
    [nearest, farthest]: [u32; 2],
) -> i8 {
    let mut least = WON;
    let quickest = cell_of(Value::Loss(nearest - 1));
    walker.successors(number, |successor| {
        let after = match successor {
            Successor::To(after) => cells[after as usize].load(Relaxed),
            Successor::End(value) => cell_of(value.flipped()),
        };
        least = least.min(after);
        match least <= quickest {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    // One ply more, for the other side.
    let found = match least {
        OPEN | DRAW => OPEN,
        ..OPEN => -1 - least,
        _ => 1 - least,
    };
    match plies_of(found) {
        Some(plies) if plies <= farthest => found,
        _ => OPEN,
    }
}
