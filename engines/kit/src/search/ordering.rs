//! Move ordering: the table's move first, then by the sum of the game's priors, killer moves and the history heuristic.

use super::Heuristics;
use super::score::MAX_PLY;
use crate::Side;

/// Maximum bonus that killers and history add to a move's prior.
pub const MAX_ORDERING_BONUS: i32 = 20_000;

const TABLE_MOVE: i32 = i32::MAX;
/// The index of no move.
const NO_INDEX: usize = usize::MAX;
/// Up to this depth priors are not computed, since they cost as much as searching the moves.
pub(crate) const MAX_DEPTH_WITHOUT_PRIORS: i32 = 1;
const KILLER: i32 = MAX_ORDERING_BONUS / 2;
/// Limit of the absolute value of a history score.
const HISTORY_LIMIT: i32 = MAX_ORDERING_BONUS / 2;

/// The rank of a move, then its number in the list of moves, so that it is unlike any other's. The greatest is tried first:
/// the highest rank, and of equal ranks the first in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ranked(i64);

impl Ranked {
    pub(crate) fn new(rank: i32, number: usize) -> Ranked {
        Ranked(i64::from(rank) << 32 | i64::from(!(number as u32)))
    }

    /// The move's number in the list of moves.
    pub(crate) fn number(self) -> usize {
        !(self.0 as u32) as usize
    }
}

/// Killer moves and history of one thread's search.
#[derive(Debug)]
pub(crate) struct MoveOrdering {
    heuristics: Heuristics,
    /// For each ply, the indices of the last two moves that caused a cutoff there.
    killers: Vec<[usize; 2]>,
    /// Indexed by side and move index; higher for moves that caused more cutoffs.
    history: [Vec<i32>; 2],
}

impl MoveOrdering {
    /// An ordering for a game with this many move indices.
    pub(crate) fn new(indices: usize, heuristics: Heuristics) -> MoveOrdering {
        MoveOrdering {
            heuristics,
            killers: vec![[NO_INDEX; 2]; MAX_PLY + 1],
            history: [vec![0; indices], vec![0; indices]],
        }
    }

    /// Ranks moves `ply` plies from the root, each by its index and its prior.
    #[inline]
    pub(crate) fn ranks(
        &self,
        side: Side,
        ply: usize,
        table_move: Option<u16>,
    ) -> impl Fn(usize, i32) -> i32 {
        let (history, uses_history) = (&self.history[side.index()], self.heuristics.history);
        let killers = self.killers[ply];
        let table_move = table_move.map_or(NO_INDEX, usize::from);
        move |index, prior| {
            let killer = if killers.contains(&index) { KILLER } else { 0 };
            let history = if uses_history { history[index] } else { 0 };
            match index == table_move {
                true => TABLE_MOVE,
                false => prior.saturating_add(killer + history),
            }
        }
    }

    /// Records a cutoff by the move of this index: it gets a bonus, the moves tried before it a malus.
    pub(crate) fn cutoff(
        &mut self,
        side: Side,
        ply: usize,
        depth: i32,
        index: usize,
        tried: impl Iterator<Item = usize>,
    ) {
        let killers = &mut self.killers[ply];
        if self.heuristics.killers && killers[0] != index {
            *killers = [index, killers[0]];
        }
        let history = &mut self.history[side.index()];
        let bonus = (depth * depth).min(HISTORY_LIMIT / 8);
        add_bonus(&mut history[index], bonus);
        for earlier in tried {
            add_bonus(&mut history[earlier], -bonus);
        }
    }
}

/// Adds a bonus to a history score, scaled down near the limit (history gravity).
fn add_bonus(number: &mut i32, bonus: i32) {
    *number += bonus - *number * bonus.abs() / HISTORY_LIMIT;
}

/// Selection sort step: moves the greatest from `at` on to index `at` and returns it.
pub(crate) fn pick(moves: &mut [Ranked], at: usize) -> Ranked {
    let (mut best, mut greatest) = (at, moves[at]);
    for (i, &ranked) in moves.iter().enumerate().skip(at + 1) {
        if ranked > greatest {
            (best, greatest) = (i, ranked);
        }
    }
    moves.swap(at, best);
    greatest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picking_sorts_and_keeps_the_order_of_equals() {
        let ranks = [3, i32::MAX, 3, i32::MIN, i32::MAX];
        let ranked = ranks.into_iter().enumerate();
        let mut moves: Vec<_> = ranked.map(|(i, rank)| Ranked::new(rank, i)).collect();
        let picked: Vec<_> = (0..5).map(|at| pick(&mut moves, at).number()).collect();
        assert_eq!(picked, [1, 4, 0, 2, 3]);
    }

    #[test]
    fn history_stays_within_its_limits() {
        let mut number = 0;
        for _ in 0..10_000 {
            add_bonus(&mut number, HISTORY_LIMIT / 8);
        }
        assert!(number <= HISTORY_LIMIT && number > HISTORY_LIMIT / 2);
        for _ in 0..10_000 {
            add_bonus(&mut number, -HISTORY_LIMIT / 8);
        }
        assert!((-HISTORY_LIMIT..-HISTORY_LIMIT / 2).contains(&number));
    }
}
