//! Which move to try first: the table's, then what the game promises and what this search has learned.

use super::Heuristic;
use super::score::MAX_PLY;
use crate::{Evaluate, Game, Side};

/// The most that experience (a killer, the history of cutoffs) adds to a move's promise.
pub const MAX_ORDERING_BONUS: i32 = 20_000;

const TABLE_MOVE: i32 = i32::MAX;
/// So near the end a move is searched as soon as its promise is known, so none is asked for.
const LAST_PLY: i32 = 1;
const KILLER: i32 = MAX_ORDERING_BONUS / 2;
/// The history of cutoffs stays within plus or minus this.
const HISTORY_LIMIT: i32 = MAX_ORDERING_BONUS / 2;

/// A move and how early it should be tried.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ranked<M> {
    pub(crate) mv: M,
    pub(crate) rank: i32,
}

/// What a search has learned of its moves.
#[derive(Debug)]
pub(crate) struct MoveOrdering<G: Game> {
    technique: Heuristic,
    /// Two moves a ply that refuted a sibling.
    killers: Vec<[Option<G::Move>; 2]>,
    /// Two sides, each with one number a move index: the higher, the more cutoffs.
    history: [Vec<i32>; 2],
}

impl<G: Evaluate> MoveOrdering<G> {
    pub(crate) fn new(game: &G, technique: Heuristic) -> MoveOrdering<G> {
        let indices = game.n_move_indices();
        MoveOrdering {
            technique,
            killers: vec![[None; 2]; MAX_PLY + 1],
            history: [vec![0; indices], vec![0; indices]],
        }
    }

    /// Ranks the moves of a position `ply` plies from the root that is searched to `depth`.
    pub(crate) fn rank(
        &self,
        game: &G,
        position: &G::Position,
        depth: i32,
        ply: usize,
        table_move: Option<u16>,
        moves: &mut [Ranked<G::Move>],
    ) {
        let history = &self.history[game.side(position).index()];
        let killers = self.killers[ply];
        let promise = game.move_priors(position);
        let technique = self.technique;
        let has_promises = technique.promises && depth > LAST_PLY;
        for ranked in moves {
            let index = game.move_index(ranked.mv);
            ranked.rank = if table_move == Some(index as u16) {
                TABLE_MOVE
            } else {
                let is_killer = technique.killers && killers.contains(&Some(ranked.mv));
                let killer = if is_killer { KILLER } else { 0 };
                let history = if technique.history { history[index] } else { 0 };
                let promise = if has_promises { promise(ranked.mv) } else { 0 };
                promise.saturating_add(killer + history)
            };
        }
    }

    /// A move refuted its position: it rises, and those tried before it sink.
    pub(crate) fn cutoff(
        &mut self,
        game: &G,
        side: Side,
        ply: usize,
        depth: i32,
        mv: G::Move,
        tried: &[Ranked<G::Move>],
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let history = &mut self.history[side.index()];
        let bonus = (depth * depth).min(HISTORY_LIMIT / 8);
        nudge(&mut history[game.move_index(mv)], bonus);
        for earlier in tried {
            nudge(&mut history[game.move_index(earlier.mv)], -bonus);
        }
    }
}

/// Moves a number towards the limit, by less the nearer it is.
fn nudge(number: &mut i32, bonus: i32) {
    *number += bonus - *number * bonus.abs() / HISTORY_LIMIT;
}

/// Brings the move of the highest rank from `at` on to `at`; among equals the earlier one.
pub(crate) fn pick<M: Copy>(moves: &mut [Ranked<M>], at: usize) -> M {
    let mut best = at;
    for i in at + 1..moves.len() {
        if moves[i].rank > moves[best].rank {
            best = i;
        }
    }
    moves[at..=best].rotate_right(1);
    moves[at].mv
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picking_sorts_and_keeps_the_order_of_equals() {
        let ranks = [3, 9, 3, 1, 9];
        let mut moves: Vec<_> = (0..5)
            .map(|mv| Ranked {
                mv,
                rank: ranks[mv],
            })
            .collect();
        let picked: Vec<_> = (0..5).map(|at| pick(&mut moves, at)).collect();
        assert_eq!(picked, [1, 4, 0, 2, 3]);
    }

    #[test]
    fn history_never_leaves_its_limits() {
        let mut number = 0;
        for _ in 0..10_000 {
            nudge(&mut number, HISTORY_LIMIT / 8);
        }
        assert!(number <= HISTORY_LIMIT && number > HISTORY_LIMIT / 2);
        for _ in 0..10_000 {
            nudge(&mut number, -HISTORY_LIMIT / 8);
        }
        assert!((-HISTORY_LIMIT..-HISTORY_LIMIT / 2).contains(&number));
    }
}
