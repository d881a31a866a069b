//! The positions that one player can reach while the other can only pass, and the moves to a win from each.

use kit::{KnownResult, Side};

use crate::geometry::{BOARD, N_BITS, Squares, squares};

/// Number of squares not taken by the seven bound pieces.
const N_FREE: usize = 25 - 7;
/// Marks an arrangement not found yet.
pub(crate) const NONE: u16 = u16::MAX;
/// Marks an arrangement that does not bind.
pub(crate) const LOOSE: u16 = NONE - 1;

/// Arrangements of the free player's pieces, in the order of discovery. The first one is the root's, in which the
/// opponent need not be bound.
#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) free: Side,
    pub(crate) bound: Squares,
    /// The index of each free square among the free squares.
    place: [u8; N_BITS],
    /// The index of each arrangement, by its pieces as bits over the free squares.
    pub(crate) number: Vec<u16>,
    pub(crate) found: Vec<Squares>,
    /// The number of moves to a win, if there is one.
    pub(crate) moves: Vec<Option<u32>>,
    /// Number of arrangements whose moves were listed, the first ones found.
    pub(crate) n_expanded: usize,
}

impl Explored {
    /// The root alone: the pieces of the player who moves, and those of the bound player.
    pub(crate) fn new(free: Side, own: Squares, bound: Squares) -> Explored {
        let mut place = [0; N_BITS];
        for (square, i) in squares(BOARD & !bound).zip(0..) {
            place[square.index()] = i;
        }
        let mut explored = Explored {
            free,
            bound,
            place,
            number: vec![NONE; 1 << N_FREE],
            found: Vec::new(),
            moves: Vec::new(),
            n_expanded: 0,
        };
        explored.add(own);
        explored
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

    pub(crate) fn add(&mut self, own: Squares) {
        let at = self.place_of(own);
        self.number[at] = self.found.len() as u16;
        self.found.push(own);
        self.moves.push(None);
    }

    pub(crate) fn place_of(&self, own: Squares) -> usize {
        squares(own)
            .map(|square| 1 << self.place[square.index()])
            .sum()
    }

    /// The result of an arrangement; `None` if it was not found. If the enumeration ended before all arrangements were
    /// expanded, one without a known win has no known result: a way to a win may lead through those not expanded.
    pub(crate) fn known_result(&self, own: Squares) -> Option<KnownResult> {
        let number = usize::from(self.number[self.place_of(own)]);
        match self.moves.get(number)? {
            Some(moves) => Some(KnownResult::Win(2 * moves - 1)),
            None => (self.n_expanded == self.found.len()).then_some(KnownResult::NoProgress),
        }
    }
}
