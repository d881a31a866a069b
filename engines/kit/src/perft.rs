//! Counts the leaves of the game tree, the standard test of move generation.

use crate::{Game, PositionHistory};

/// Maximum depth of `go perft`. It bounds the recursion; no tree that deep can be counted.
pub const MAX_DEPTH: u32 = 100;

/// Number of leaves exactly `depth` plies below the position; a finished game has none.
///
/// The last ply is counted in bulk, without playing the moves. The recursion is `depth` calls deep.
pub fn perft<G: Game>(history: &mut PositionHistory<G>, depth: u32) -> u64 {
    perft_until(history, depth, &|| false).expect("it cannot be stopped")
}

/// As [`perft`]; `None` if `is_stopped` becomes true.
fn perft_until<G: Game>(
    history: &mut PositionHistory<G>,
    depth: u32,
    is_stopped: &dyn Fn() -> bool,
) -> Option<u64> {
    match depth {
        0 => Some(1),
        _ => bulk(history, &mut buffers(depth), is_stopped),
    }
}

/// Calls `each` with each root move in canonical order, and with the leaves below it, as soon as they are counted. Returns
/// the sum, which is 1 at depth 0; `None` if `is_stopped` becomes true.
pub fn divide<G: Game>(
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
