//! The indices of sets of seven squares, in colexicographic order, which is the order of the sets as numbers.

use std::array::from_fn;

use kit::bits::bits;

use crate::geometry::{BOARD, N_BITS, RANK, SIDE, Square, Squares, subsets};

/// Number of pieces per player.
pub(super) const N_PIECES: u32 = 7;
/// Number of squares not taken by one player's pieces.
pub(super) const N_FREE: u32 = 25 - N_PIECES;
/// Number of sets of seven squares.
pub(super) const N_SETS: usize = 480_700;
/// Number of sets of seven squares among [`N_FREE`].
pub(super) const N_FREE_SETS: usize = 31_824;

/// Bits of the lower half of a set of free squares.
const HALF: u32 = N_FREE / 2;
/// Bits of a third of a set of free squares.
const THIRD: u32 = N_FREE / 3;
/// Values of a third of a set of free squares.
const N_THIRDS: usize = 1 << THIRD;
/// Bits of the lower three ranks of the board.
const THREE_RANKS: u32 = 3 * RANK as u32;

/// Tables for the index of a set, and the set of an index.
#[derive(Debug)]
pub(super) struct Ranks {
    board: Ranking,
    free: Ranking,
    /// The free squares of each index, as bits without gaps.
    free_sets: Vec<u32>,
    /// The squares of a rank without the taken ones, as bits without gaps, by the taken ones and the set.
    compressed: [[u8; 32]; 32],
}

/// The index of each set of seven bits among those that are subsets of `all`.
#[derive(Debug)]
struct Ranking {
    /// Number of bits in the lower part of a set.
    n_low: u32,
    /// The index of the first set with each upper part.
    first: Vec<u32>,
    /// The index of each lower part among those with as many bits.
    place: Vec<u16>,
}

impl Ranking {
    fn new(all: u32, n_low: u32) -> Ranking {
        let is_subset = |set: u32, of: u32| set & !of == 0;
        let (low, high) = (all & ((1 << n_low) - 1), all >> n_low);
        let mut n_with = [0; 32];
        let place = (0..=low).map(|part| {
            let count = &mut n_with[part.count_ones() as usize];
            *count += u16::from(is_subset(part, low));
            count.saturating_sub(1)
        });
        let place = place.collect();
        let mut next = 0;
        let first = (0..=high).map(|part| {
            let first = next;
            let n_left = N_PIECES.checked_sub(part.count_ones());
            if let Some(n_left) = n_left.filter(|_| is_subset(part, high)) {
                next += u32::from(n_with[n_left as usize]);
            }
            first
        });
        Ranking {
            n_low,
            first: first.collect(),
            place,
        }
    }

    #[inline]
    fn of(&self, set: u32) -> usize {
        let low = set & ((1 << self.n_low) - 1);
        (self.first[(set >> self.n_low) as usize] + u32::from(self.place[low as usize])) as usize
    }

    fn n_bytes(&self) -> usize {
        size_of_val(&self.first[..]) + size_of_val(&self.place[..])
    }
}

impl Ranks {
    pub(super) fn new() -> Ranks {
        let compressed = |taken, set| compress(taken as u32, set as u32) as u8;
        Ranks {
            board: Ranking::new(BOARD, THREE_RANKS),
            free: Ranking::new((1 << N_FREE) - 1, HALF),
            free_sets: of_seven((1 << N_FREE) - 1).collect(),
            compressed: from_fn(|taken| from_fn(|set| compressed(taken, set))),
        }
    }

    /// The index of a set of seven squares, below [`N_SETS`].
    #[inline]
    pub(super) fn of_set(&self, set: Squares) -> usize {
        self.board.of(set)
    }

    /// The index of a set of seven squares among those that are not `taken`, below [`N_FREE_SETS`].
    #[inline]
    pub(super) fn of_free_set(&self, taken: Squares, set: Squares) -> usize {
        let (mut free_bits, mut n_bits) = (0, 0);
        for rank in 0..SIDE {
            let of_rank = |set: Squares| set >> (rank * RANK) & 31;
            let taken = of_rank(taken);
            let compressed = self.compressed[taken as usize][of_rank(set) as usize];
            free_bits |= u32::from(compressed) << n_bits;
            n_bits += u32::from(SIDE) - taken.count_ones();
        }
        self.of_free_bits(free_bits)
    }

    pub(super) fn n_bytes(&self) -> usize {
        let tables = self.board.n_bytes() + self.free.n_bytes();
        tables + size_of_val(&self.free_sets[..]) + size_of::<Ranks>()
    }

    /// The index of seven free squares, given as bits without gaps.
    #[inline]
    pub(super) fn of_free_bits(&self, set: u32) -> usize {
        self.free.of(set)
    }
}

/// The squares that are not taken, and sets of them as bits without gaps.
#[derive(Debug)]
pub(super) struct FreeSets {
    /// The squares of each lower, middle and upper third of the bits.
    thirds: [[Squares; N_THIRDS]; 3],
    /// The bit of each square.
    bits: [u32; N_BITS],
}

impl FreeSets {
    /// Creates the tables for the squares not taken by seven pieces.
    pub(super) fn new(taken: Squares) -> FreeSets {
        let mut sets = FreeSets {
            thirds: [[0; N_THIRDS]; 3],
            bits: [0; N_BITS],
        };
        for (place, square) in (0..).zip(Square::of(BOARD & !taken)) {
            sets.bits[square.index()] = 1 << place;
            let third = &mut sets.thirds[(place / THIRD) as usize];
            let n_known = 1 << (place % THIRD);
            for set in 0..n_known {
                third[n_known + set] = third[set] | square.bit();
            }
        }
        sets
    }

    /// The squares of a set.
    #[inline]
    pub(super) fn squares(&self, set: u32) -> Squares {
        let third = |part: usize| {
            let bits = set >> (part as u32 * THIRD) & (N_THIRDS as u32 - 1);
            self.thirds[part][bits as usize]
        };
        third(0) | third(1) | third(2)
    }

    /// The bit of a free square.
    #[inline]
    pub(super) fn bit(&self, square: Square) -> u32 {
        self.bits[square.index()]
    }

    /// The set with this index.
    #[inline]
    pub(super) fn get(&self, ranks: &Ranks, number: usize) -> Squares {
        self.squares(ranks.free_sets[number])
    }
}

/// All sets of seven squares.
pub(super) fn sets() -> impl Iterator<Item = Squares> {
    of_seven(BOARD)
}

/// The subsets of seven, ascending.
fn of_seven(all: u32) -> impl Iterator<Item = u32> {
    subsets(all).filter(|set| set.count_ones() == N_PIECES)
}

fn compress(taken: u32, set: u32) -> u32 {
    let free = bits(31 & !taken);
    let kept = (0..).zip(free).filter(|(_, bit)| set >> bit & 1 != 0);
    kept.map(|(place, _)| 1 << place).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_numbers_from_0_in_order() {
        let ranks = Ranks::new();
        for (number, set) in sets().enumerate() {
            assert_eq!(ranks.of_set(set), number, "{set:#b}");
        }
        assert_eq!(sets().count(), N_SETS);
    }

    #[test]
    fn free_sets_and_their_numbers_are_inverse() {
        let ranks = Ranks::new();
        for taken in sets().step_by(50_021) {
            let free = FreeSets::new(taken);
            for number in 0..N_FREE_SETS {
                let set = free.get(&ranks, number);
                assert_eq!((set & taken, set.count_ones(), set & !BOARD), (0, 7, 0));
                assert_eq!(
                    ranks.of_free_set(taken, set),
                    number,
                    "{taken:#b}, {set:#b}"
                );
            }
        }
    }
}
