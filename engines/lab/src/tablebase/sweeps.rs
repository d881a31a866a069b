//! Solving by moves forward alone. `sections` solves games in which the predecessors of a position are close together in
//! memory.
//!
//! Most games are solved by distance to the end: at distance `d` a sweep looks at each open position. It is won in `d` if
//! a move leads to a loss in `d - 1`, and lost in `d` if all moves lead to wins in fewer plies. What other threads store in
//! the same sweep has the distance `d` itself, so it does not matter whether it is seen. In a game with
//! [layers](MoveGraph::layers), no move leads back, and one sweep over each layer finds all distances.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::parallel::block;
use kit::Value;
use kit::tablebase::code::{OPEN, UNUSED, code, decode};
use kit::tablebase::{InitialValue, MAX_PLIES, MoveGraph, Successor, Walker};

use super::solver::{BuildError, BuildProgress, N_PER_ITEM, Solver};

pub(super) fn run<M: MoveGraph>(
    solver: &Solver<'_, M>,
    on_progress: &mut dyn FnMut(BuildProgress),
) -> Result<(), BuildError> {
    let all = 0..solver.cells.len() as u64;
    let mut sweeps = Sweeps {
        solver,
        n_solved: AtomicU64::new(0),
        longest: AtomicU32::new(0),
        on_progress,
    };
    sweeps.sweep("0 plies from the end", all.clone(), [0, 0])?;
    let mut start = 0;
    for end in solver.graph.layers() {
        let stage = format!("the layer from position {start} to {end}");
        sweeps.sweep(&stage, start..end, [1, u32::MAX])?;
        start = end;
    }
    for plies in 1.. {
        let stage = format!("{plies} plies from the end");
        let n_found = sweeps.sweep(&stage, start..all.end, [plies, plies])?;
        // Distance 1 may be known from the beginning, so the absence of new positions there does not mean the end.
        if n_found == 0 && plies > 1 {
            break;
        }
    }
    Ok(())
}

/// What all sweeps have in common.
struct Sweeps<'s, 'a, M> {
    solver: &'s Solver<'a, M>,
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
        let (solver, n_solved, longest) = (self.solver, &self.n_solved, &self.longest);
        let n_before = n_solved.load(Relaxed);
        let of = (numbers.end - numbers.start).div_ceil(N_PER_ITEM);
        let work = |walker: &mut M::Walker<'_>, item| {
            let mut n_found = 0;
            for number in block(item, N_PER_ITEM, numbers.end - numbers.start) {
                let number = numbers.start + number;
                let found = match distances {
                    [_, 0] => initial_code(walker, number),
                    _ if solver.cell(number).load(Relaxed) != OPEN => OPEN,
                    _ => solve(solver, walker, number, distances),
                };
                if found != OPEN {
                    solver.cell(number).store(found, Relaxed);
                }
                if let Some(Value::Win(plies) | Value::Loss(plies)) = decode(found) {
                    n_found += 1;
                    longest.fetch_max(plies, Relaxed);
                }
            }
            n_solved.fetch_add(n_found, Relaxed);
        };
        let walker = || solver.graph.walker();
        solver.for_each(of, walker, work, &mut |done| {
            let n_solved = n_solved.load(Relaxed);
            let stage = format!("{stage}, {n_solved} positions won or lost");
            (self.on_progress)(BuildProgress { stage, done, of });
        })?;
        match longest.load(Relaxed) > MAX_PLIES {
            true => Err(BuildError::TooFar),
            false => Ok(n_solved.load(Relaxed) - n_before),
        }
    }
}

/// The code of an index before solving.
fn initial_code(walker: &mut impl Walker, number: u64) -> u16 {
    match walker.initial_value(number) {
        InitialValue::Open => OPEN,
        InitialValue::Unused => UNUSED,
        InitialValue::Known(value) => code(value),
    }
}

/// The code of an open position at one of these distances; [`OPEN`] if it is farther from the end, or a draw.
fn solve<M: MoveGraph>(
    solver: &Solver<'_, M>,
    walker: &mut impl Walker,
    number: u64,
    [nearest, farthest]: [u32; 2],
) -> u16 {
    let mut best = Value::Loss(0);
    walker.successors(number, |successor| {
        let value = match successor {
            Successor::To(after) => {
                let after = decode(solver.cell(after).load(Relaxed));
                after.unwrap_or(Value::Draw).flipped()
            }
            Successor::End(value) => value,
        };
        let value = value.before_move();
        if value.score() > best.score() {
            best = value;
        }
        match best {
            Value::Win(plies) if plies <= nearest => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    match best {
        Value::Win(plies) | Value::Loss(plies) if plies <= farthest => code(best),
        _ => OPEN,
    }
}
