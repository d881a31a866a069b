//! Counting the leaves of the game tree: the test of every rule at once.

use crate::{Game, PositionHistory};

/// The leaves of a game tree, each made and judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Leaves {
    /// How many there are.
    pub nodes: u64,
    /// How many of them are finished games.
    pub finished: u64,
}

/// The most plies that a `go perft` may ask for. No tree is counted so deep; it bounds the recursion.
pub const MAX_DEPTH: u32 = 100;

/// The number of leaves exactly `depth` plies below the position; a finished game has none below it.
///
/// The last ply is counted in bulk, not made. The recursion is `depth` calls deep.
pub fn perft<G: Game>(history: &mut PositionHistory<G>, depth: u32) -> u64 {
    perft_until(history, depth, &|| false).expect("nothing stops it")
}

/// As [`perft`]; `None` if `is_stopped` becomes true.
pub fn perft_until<G: Game>(
    history: &mut PositionHistory<G>,
    depth: u32,
    is_stopped: &impl Fn() -> bool,
) -> Option<u64> {
    match depth {
        0 => Some(1),
        _ => bulk(history, &mut buffers(depth), is_stopped),
    }
}

/// Leaves below each root move, in canonical order; no moves at depth 0.
pub fn divide<G: Game>(history: &mut PositionHistory<G>, depth: u32) -> Vec<(G::Move, u64)> {
    let mut shares = Vec::new();
    divide_until(history, depth, &|| false, &mut |mv, nodes| {
        shares.push((mv, nodes));
    });
    shares
}

/// As [`divide`], but tells `each` root move with its leaves as soon as they are counted, and returns the sum, which is
/// 1 at depth 0; `None` if `is_stopped` becomes true.
pub fn divide_until<G: Game>(
    history: &mut PositionHistory<G>,
    depth: u32,
    is_stopped: &impl Fn() -> bool,
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

/// The same leaves as [`perft`], but each is made and judged: the measure of how fast the rules run.
pub fn leaves<G: Game>(history: &mut PositionHistory<G>, depth: u32) -> Leaves {
    let mut leaves = Leaves::default();
    judge(history, &mut buffers(depth), &mut leaves);
    leaves
}

/// One move list a ply, so that the recursion allocates only at its start.
fn buffers<M>(depth: u32) -> Vec<Vec<M>> {
    (0..depth).map(|_| Vec::new()).collect()
}

/// `None` if it was stopped; the history then is where it was all the same.
fn bulk<G: Game>(
    history: &mut PositionHistory<G>,
    buffers: &mut [Vec<G::Move>],
    is_stopped: &impl Fn() -> bool,
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
