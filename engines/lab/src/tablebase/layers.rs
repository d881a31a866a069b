//! Solving layer by layer: each position once, by its moves, which lead into solved layers.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kit::tablebase::code::{self, decode};
use kit::tablebase::{Ending, InitialValue, MoveGraph, Successor, Walker};
use kit::{Game, Value};

use super::progress::{BuildError, BuildProgress};
use super::solver::{SharedCode, Solver};

/// The score of a draw; losses are below and wins above.
const DRAW: i32 = 0;
/// The score of a win in 0 plies.
const WIN: i32 = 1 << 16;

pub(super) fn run<G: Game, M: MoveGraph<G>, C: SharedCode>(
    solver: &Solver<'_, M, C>,
    order: &[Range<u64>],
    tell: &mut dyn FnMut(BuildProgress),
) -> Result<(), BuildError> {
    let n_indices = solver.graph.n_indices();
    let plies = M::MAX_PLIES.min(C::MAX_PLIES);
    let longest = code::loss(plies);
    for (layer, numbers) in order.iter().enumerate() {
        let before: u64 = order[..layer]
            .iter()
            .map(|range| range.end - range.start)
            .sum();
        let len = numbers.end - numbers.start;
        let tell_part = &mut |done: u64, of: u64| {
            let done = before + (len as u128 * u128::from(done) / u128::from(of)) as u64;
            let (stage, of) = (format!("{done} positions solved"), n_indices);
            tell(BuildProgress { stage, done, of })
        };
        let is_too_far = AtomicBool::new(false);
        let solve = |walker: &mut M::Walker<'_>, piece: Range<u64>| {
            for number in piece {
                let code = value(solver, walker, number);
                if code > longest {
                    is_too_far.store(true, Relaxed);
                }
                solver.cell(number).store(code);
            }
        };
        solver.scan(numbers, solve, tell_part)?;
        if is_too_far.into_inner() {
            return Err(BuildError::TooFar { plies });
        }
    }
    Ok(())
}

/// Computes the code of a position from those of its successors.
fn value<G: Game, M: MoveGraph<G>, C: SharedCode>(
    solver: &Solver<'_, M, C>,
    walker: &mut M::Walker<'_>,
    number: u64,
) -> u16 {
    match walker.initial_value(number) {
        InitialValue::Known(value) => return code::code(value),
        InitialValue::Unused => return code::UNUSED,
        InitialValue::Open => {}
    }
    let mut best = None;
    walker.successors(number, |successor| {
        let score = match successor {
            Successor::End(Ending::Win) => WIN - 1,
            Successor::End(Ending::Draw) => DRAW,
            Successor::End(Ending::Loss) => 1 - WIN,
            Successor::To(number) => score_before(solver.cell(number).load()),
        };
        best = best.max(Some(score));
        match score {
            // No move is better than one that wins at once.
            score if score == WIN - 1 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    match best.expect("a position that is not over has a move") {
        DRAW => code::DRAW,
        score if score > DRAW => code::win((WIN - score) as u32),
        score => code::loss((WIN + score) as u32),
    }
}

/// The score of a move to a position with this code, for the player who makes it.
#[inline]
fn score_before(code: u16) -> i32 {
    match decode(code) {
        None | Some(Value::Draw) => DRAW,
        Some(Value::Loss(plies)) => WIN - plies as i32 - 1,
        Some(Value::Win(plies)) => plies as i32 + 1 - WIN,
    }
}
