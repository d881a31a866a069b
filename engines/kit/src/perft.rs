//! Counts the leaves of the game tree, the standard test of move generation.

use crate::{Game, PositionHistory};

/// Maximum depth of `go perft`. It bounds the recursion; no tree that deep can be counted.
pub const MAX_DEPTH: u32 = 100;

/// Number of leaves exactly `depth` plies below the position; a finished game has none.
///
/// The last ply is counted in bulk, without playing the moves. The recursion is `depth` calls deep.
pub fn perft<G: Game>(history: &mut PositionHistory<G>, depth: u32) -> u64 {
    count(history, &mut buffers(depth), &|| false).expect("it is not stopped")
}

/// Calls `each` with each root move in canonical order, and with the leaves below it, as soon as they are counted. Returns
/// the sum, which is 1 at depth 0; `None` if `is_stopped` becomes true.
pub fn divide<G: Game>(
    history: &mut PositionHistory<G>,
    depth: u32,
    is_stopped: &dyn Fn() -> bool,
    each: &mut dyn FnMut(G::Move, u64),
) -> Option<u64> {
    if is_stopped() {
        return None;
    }
    let mut buffers = buffers(depth);
    let Some((_, below)) = buffers.split_first_mut() else {
        return Some(1);
    };
    let mut total = 0;
    for mv in history.moves() {
        history.play(mv);
        let nodes = count(history, below, is_stopped);
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

/// The leaves below the position, with a buffer for each ply; `None` if stopped. The history is restored in any
/// case.
fn count<G: Game>(
    history: &mut PositionHistory<G>,
    buffers: &mut [Vec<G::Move>],
    is_stopped: &dyn Fn() -> bool,
) -> Option<u64> {
    let (moves, below) = match buffers {
        [] => return Some(1),
        _ if history.outcome().is_some() => return Some(0),
        [_] => return Some(history.game().count_moves(history.position()) as u64),
        _ if is_stopped() => return None,
        [moves, below @ ..] => (moves, below),
    };
    moves.clear();
    history.game().moves(history.position(), moves);
    let mut nodes = 0;
    for &mv in moves.iter() {
        history.play(mv);
        let below = count(history, below, is_stopped);
        history.undo();
        nodes += below?;
    }
    Some(nodes)
}
