//! Counts the leaves of the game tree, the standard test of move generation.

use crate::{Game, PositionHistory};

/// Leaves of a game tree that were each played and judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Leaves {
    /// Number of leaves.
    pub nodes: u64,
    /// Number of leaves that are finished games.
    pub finished: u64,
}

/// Maximum depth of `go perft`. It bounds the recursion; no tree that deep can be counted.
pub const MAX_DEPTH: u32 = 100;

/// Number of leaves exactly `depth` plies below the position; a finished game has none.
///
/// The last ply is counted in bulk, without playing the moves. The recursion is `depth` calls deep.
pub fn perft<G: Game>(history: &mut PositionHistory<G>, depth: u32) -> u64 {
    perft_until(history, depth, &|| false).expect("it cannot be stopped")
}

/// As [`perft`]; `None` if `is_stopped` becomes true.
pub fn perft_until<G: Game>(
    history: &mut PositionHistory<G>,
    depth: u32,
    is_stopped: &dyn Fn() -> bool,
) -> Option<u64> {
    match depth {
        0 => Some(1),
        _ => bulk(history, &mut buffers(depth), is_stopped),
    }
}

/// Leaves below each root move, in canonical order; empty at depth 0.
pub fn divide<G: Game>(history: &mut PositionHistory<G>, depth: u32) -> Vec<(G::Move, u64)> {
    let mut shares = Vec::new();
    divide_until(history, depth, &|| false, &mut |mv, nodes| {
        shares.push((mv, nodes));
    });
    shares
}

/// As [`divide`], but calls `each` with a root move and its leaves as soon as they are counted. Returns the sum, which
/// is 1 at depth 0; `None` if `is_stopped` becomes true.
pub fn divide_until<G: Game>(
    history: &mut PositionHistory<G>,
    depth: u32,
    is_stopped: &dyn Fn() -> bool,
    each: &mut dyn FnMut(G::Move, u64),
) -> Option<u64> {
    if depth == 0 {
        return (!is_stopped()).then_some(1);
    }
    let mut total = 0;
    for mv in history.moves() {
        if is_stopped() {
            return None;
        }
        history.play(mv);
        let nodes = perft_until(history, depth - 1, is_stopped);
        history.undo();
        let nodes = nodes?;
        each(mv, nodes);
        total += nodes;
    }
    Some(total)
}

/// Counts the same leaves as [`perft`], but plays and judges each: this measures the speed of the rules.
pub fn leaves<G: Game>(history: &mut PositionHistory<G>, depth: u32) -> Leaves {
    let mut leaves = Leaves::default();
    judge(history, &mut buffers(depth), &mut leaves);
    leaves
}

/// One move list per ply, so that the recursion allocates only at its start.
fn buffers<M>(depth: u32) -> Vec<Vec<M>> {
    (0..depth).map(|_| Vec::new()).collect()
}

/// Returns `None` if stopped; the history is restored in any case.
fn bulk<G: Game>(
    history: &mut PositionHistory<G>,
    buffers: &mut [Vec<G::Move>],
    is_stopped: &dyn Fn() -> bool,
) -> Option<u64> {
    if history.outcome().is_some() {
        return Some(0);
    }
    let Some((moves, rest)) = buffers
        .split_first_mut()
        .filter(|(_, rest)| !rest.is_empty())
    else {
        return Some(history.game().count_moves(history.position()) as u64);
    };
    if is_stopped() {
        return None;
    }
    moves.clear();
    history.game().moves(history.position(), moves);
    let mut nodes = 0;
    for &mv in moves.iter() {
        history.play(mv);
        let below = bulk(history, rest, is_stopped);
        history.undo();
        nodes += below?;
    }
    Some(nodes)
}

fn judge<G: Game>(
    history: &mut PositionHistory<G>,
    buffers: &mut [Vec<G::Move>],
    leaves: &mut Leaves,
) {
    let is_over = history.outcome().is_some();
    let Some((moves, rest)) = buffers.split_first_mut() else {
        leaves.nodes += 1;
        leaves.finished += u64::from(is_over);
        return;
    };
    if is_over {
        return;
    }
    moves.clear();
    history.game().moves(history.position(), moves);
    for &mv in moves.iter() {
        history.play(mv);
        judge(history, rest, leaves);
        history.undo();
    }
}
