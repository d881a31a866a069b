//! The helper threads of a search (Lazy SMP).

use std::iter;

use super::shared::Shared;
use super::worker::PvsWorker;
use crate::{Evaluate, Notation};

/// Number of different depths at which helper threads search.
const N_DEPTHS: usize = 4;

/// Runs helper thread `number` (Lazy SMP): it searches the same root until it is halted, to fill the shared table and to
/// be the first at a depth. After the best move it tries the root moves in reverse order, and it begins some plies
/// deeper than the first thread, so that the threads search different parts of the tree.
pub(super) fn run_helper<G: Evaluate + Notation>(
    mut worker: PvsWorker<'_, G>,
    shared: &Shared<'_, G::Move>,
    number: usize,
) {
    let order = worker.root_moves();
    let last = shared.request.limits.last_depth();
    let stagger = (number % N_DEPTHS) as u32;
    let mut best = order[0].clone();
    let ahead_of = |depth: u32| (depth + stagger).min(last).max(depth);
    let mut depth = ahead_of(1);
    while depth <= last {
        let others = order.iter().rev().filter(|root| root.mv() != best.mv());
        let mut moves: Vec<_> = iter::once(&best).chain(others).cloned().collect();
        if worker.search_root(&mut moves, depth as i32, best.score) {
            best = moves.swap_remove(0);
            shared.store(depth, worker.seldepth, &best);
            depth += 1;
        } else if let Some(found) = shared.at_least(depth) {
            best = found.best;
            depth = ahead_of(found.depth + 1);
        } else {
            break;
        }
    }
}
