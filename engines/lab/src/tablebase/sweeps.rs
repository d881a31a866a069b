//! Solving by distance to the end, by moves forward alone: first all ends, then what is one ply from an end, and so on.
//! `sections` does the same for games in which the predecessors of a position are close together in memory.
//!
//! At distance `d` a sweep looks at each open position. It is won in `d` if a move leads to a loss in `d - 1`, and lost in
//! `d` if all moves lead to wins in fewer plies. What other threads store in the same sweep has the distance `d` itself, so
//! it does not matter whether it is seen.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::parallel::block;
use kit::Value;
use kit::tablebase::code::{DRAW, OPEN, UNUSED, code, loss, win};
use kit::tablebase::{InitialValue, MoveGraph, Successor, Walker};

use super::progress::{BuildError, BuildProgress};
use super::solver::{N_PER_ITEM, SharedCode, Solver};

pub(super) fn run<M: MoveGraph, C: SharedCode>(
    solver: &Solver<'_, M, C>,
    on_progress: &mut dyn FnMut(BuildProgress),
) -> Result<(), BuildError> {
    let n_indices = solver.cells.len() as u64;
    let n_items = n_indices.div_ceil(N_PER_ITEM);
    let longest = M::MAX_PLIES.min(C::MAX_PLIES);
    let n_solved = AtomicU64::new(0);
    for plies in 0.. {
        let n_before = n_solved.load(Relaxed);
        let sweep = |walker: &mut M::Walker<'_>, item| {
            let n_found = sweep(solver, walker, block(item, N_PER_ITEM, n_indices), plies);
            n_solved.fetch_add(n_found, Relaxed);
        };
        let walker = || solver.graph.walker();
        solver.for_each(n_items, walker, sweep, &mut |done| {
            let n_solved = n_solved.load(Relaxed);
            on_progress(BuildProgress::distance(plies, n_solved, done, n_items));
        })?;
        // Distance 1 may be known from the beginning, so the absence of new positions there does not mean the end.
        if n_solved.load(Relaxed) == n_before && plies > 1 {
            break;
        }
        if plies > longest {
            return Err(BuildError::TooFar { plies: longest });
        }
    }
    Ok(())
}

/// Solves the positions at a distance. Returns the number of those won and lost.
fn sweep<C: SharedCode, M: MoveGraph>(
    solver: &Solver<'_, M, C>,
    walker: &mut impl Walker,
    numbers: Range<u64>,
    plies: u32,
) -> u64 {
    let mut n_found = 0;
    for number in numbers {
        let cell = solver.cell(number);
        let found = match plies {
            0 => match walker.initial_value(number) {
                InitialValue::Open => OPEN,
                InitialValue::Unused => UNUSED,
                InitialValue::Known(value) => code(value),
            },
            _ if cell.load() == OPEN => solve(solver, walker, number, plies),
            _ => continue,
        };
        if found != OPEN {
            cell.store(found);
            n_found += u64::from(found != UNUSED && found != DRAW);
        }
    }
    n_found
}

/// The code of an open position at a distance; [`OPEN`] if it is farther from the end, or a draw.
fn solve<C: SharedCode, M: MoveGraph>(
    solver: &Solver<'_, M, C>,
    walker: &mut impl Walker,
    number: u64,
    plies: u32,
) -> u16 {
    let (mut wins, mut loses) = (false, true);
    walker.successors(number, |successor| {
        match successor {
            Successor::To(after) => {
                let after = solver.cell(after).load();
                wins = after == loss(plies - 1);
                loses &= is_win_before(after, plies);
            }
            Successor::End(value) => {
                wins = value == Value::Win(0);
                loses &= value == Value::Loss(0);
            }
        }
        match wins {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    match (wins, loses) {
        (true, _) => win(plies),
        (false, true) => loss(plies),
        (false, false) => OPEN,
    }
}

/// `true` if this is the code of a win in fewer plies than `plies`.
const fn is_win_before(code: u16, plies: u32) -> bool {
    code >= win(0) && code.is_multiple_of(2) && code < win(plies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_nearer_wins_are_wins_before() {
        assert!(is_win_before(win(2), 3));
        for code in [win(3), win(4), loss(1), OPEN, DRAW, UNUSED] {
            assert!(!is_win_before(code, 3), "{code}");
        }
    }
}
