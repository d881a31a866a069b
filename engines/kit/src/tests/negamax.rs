//! Plain search, without heuristics: the truth that searches are compared with.

use crate::tests::searches::static_score;
use kit::search::score::{DRAW, SearchScore, loss_in, win_in};
use kit::{Evaluate, Outcome, PositionHistory};

/// The score of a position `ply` plies from the root after a full search to `depth`.
pub(crate) fn negamax<G: Evaluate>(
    history: &mut PositionHistory<G>,
    depth: u32,
    ply: usize,
) -> SearchScore {
    match history.outcome() {
        Some(Outcome::Draw) => return DRAW,
        Some(Outcome::Win(side)) if side == history.side() => return win_in(ply),
        Some(Outcome::Win(_)) => return loss_in(ply),
        None if ply > 0 && history.is_drawn_or_repeats_within(ply) => return DRAW,
        None => {}
    }
    if depth == 0 {
        return match history.game().win_in_one(history.position()) {
            Some(_) => win_in(ply + 1),
            None => static_score(history.game(), history.position()),
        };
    }
    let scores = history.moves().into_iter().map(|mv| {
        history.play(mv);
        let score = -negamax(history, depth - 1, ply + 1);
        history.undo();
        score
    });
    scores.max().expect("a game that goes on has a move")
}
