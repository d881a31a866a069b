//! The positions that one player can reach while the other can only pass, and the moves to a win from each.

use std::collections::HashMap;

use kit::{KnownResult, Side};

use crate::geometry::Squares;

/// Arrangements of the free player's pieces, in the order of discovery. The first one is the root's, in which the
/// opponent need not be bound.
#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) free: Side,
    pub(crate) bound: Squares,
    /// The index of each arrangement that was looked at; `None` for one that does not bind.
    pub(crate) number: HashMap<Squares, Option<usize>>,
    pub(crate) found: Vec<Squares>,
    /// The number of moves to a win, if there is one.
    pub(crate) moves: Vec<Option<u32>>,
    /// Number of arrangements whose moves were listed, the first ones found.
    pub(crate) n_expanded: usize,
}

impl Explored {
    /// The root alone: the pieces of the player who moves, and those of the bound player.
    pub(crate) fn new(free: Side, own: Squares, bound: Squares) -> Explored {
        Explored {
            free,
            bound,
            number: HashMap::from([(own, Some(0))]),
            found: vec![own],
            moves: vec![None],
            n_expanded: 0,
        }
    }

    /// Counts the moves to a win by retrograde analysis from the won arrangements.
    pub(crate) fn count_back(&mut self, links: &[(usize, usize)]) {
        for moves in 2.. {
            let mut is_done = true;
            for &(before, after) in links {
                if self.moves[before].is_none() && self.moves[after] == Some(moves - 1) {
                    self.moves[before] = Some(moves);
                    is_done = false;
                }
            }
            if is_done {
                break;
            }
        }
    }

    /// The index of an arrangement; `None` if it does not bind, as `is_bound` says of one not found yet.
    pub(crate) fn number_of(&mut self, own: Squares, is_bound: impl Fn() -> bool) -> Option<usize> {
        let next = self.found.len();
        let number = self
            .number
            .entry(own)
            .or_insert_with(|| is_bound().then_some(next));
        if *number == Some(next) {
            self.found.push(own);
            self.moves.push(None);
        }
        *number
    }

    /// The result of an arrangement; `None` if it was not found. If the enumeration ended before all arrangements were
    /// expanded, one without a known win has no known result: a way to a win may lead through those not expanded.
    pub(crate) fn known_result(&self, own: Squares) -> Option<KnownResult> {
        let number = self.number.get(&own).copied().flatten()?;
        match self.moves[number] {
            Some(moves) => Some(KnownResult::Win(2 * moves - 1)),
            None => (self.n_expanded == self.found.len()).then_some(KnownResult::NoProgress),
        }
    }
}
