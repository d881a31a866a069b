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

/// How many leaves lie exactly `depth` plies below the position; a finished game has none below it.
///
/// The last ply is counted in bulk, not made.
pub fn perft<G: Game>(history: &mut PositionHistory<G>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => bulk(history, &mut buffers(depth)),
    }
}

/// Leaves below each root move, in canonical order; no moves at depth 0.
pub fn divide<G: Game>(history: &mut PositionHistory<G>, depth: u32) -> Vec<(G::Move, u64)> {
    let moves = if depth == 0 {
        Vec::new()
    } else {
        history.moves()
    };
    moves
        .into_iter()
        .map(|mv| {
            history.play(mv);
            let nodes = perft(history, depth - 1);
            history.undo();
            (mv, nodes)
        })
        .collect()
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

fn bulk<G: Game>(history: &mut PositionHistory<G>, buffers: &mut [Vec<G::Move>]) -> u64 {
    if history.outcome().is_some() {
        return 0;
    }
    let Some((moves, rest)) = buffers
        .split_first_mut()
        .filter(|(_, rest)| !rest.is_empty())
    else {
        return history.game().count_moves(history.position()) as u64;
    };
    moves.clear();
    history.game().moves(history.position(), moves);
    let mut nodes = 0;
    for &mv in moves.iter() {
        history.play(mv);
        nodes += bulk(history, rest);
        history.undo();
    }
    nodes
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
