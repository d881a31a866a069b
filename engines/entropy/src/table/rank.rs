//! The indices of sets of seven squares, in colexicographic order.

use crate::geometry::{BOARD, N_BITS, RANK, SIDE, Square, Squares, squares};

/// Number of pieces per player.
pub(super) const N_PIECES: usize = 7;
/// Number of squares not taken by one player's pieces.
pub(super) const N_FREE: usize = 25 - N_PIECES;
/// Number of sets of seven squares.
pub(super) const N_SETS: usize = 480_700;
/// Number of sets of seven squares among [`N_FREE`].
pub(super) const N_FREE_SETS: usize = 31_824;

/// Bits of half a set of free squares.
const HALF: u32 = N_FREE as u32 / 2;
/// Values of half a set of free squares.
const N_HALVES: usize = 1 << HALF;
/// Bits of a third of a set of free squares.
const THIRD: u32 = N_FREE as u32 / 3;
/// Values of a third of a set of free squares.
const N_THIRDS: usize = 1 << THIRD;
/// Bits of two ranks of the board.
const TWO_RANKS: u32 = 2 * RANK as u32;
const TWO_RANKS_MASK: u32 = (1 << TWO_RANKS) - 1;

/// Tables for the index of a set, and the set of an index.
#[derive(Debug)]
pub(super) struct Ranks {
    /// The contribution of the squares of ranks 1 and 2, of 3 and 4, and of 5 to the index of a set, by the number of
    /// squares below them in the set.
    board: [[Vec<u32>; N_PIECES + 1]; 3],
    /// The same for the lower and the upper half of the free squares; the upper half determines the number in the
    /// lower.
    free: [Box<[u16; N_HALVES]>; 2],
    /// The free squares of each index, as bits without gaps.
    free_sets: Vec<u32>,
    /// The squares of a rank without the taken ones, as bits without gaps, by the taken ones and the set.
    compressed: [[u8; 32]; 32],
}

impl Ranks {
    pub(super) fn new() -> Ranks {
        let below = |n: usize| [(); N_PIECES + 1].map(|()| vec![0; n]);
        let mut ranks = Ranks {
            board: [0, 1, 2].map(|_| below(1 << TWO_RANKS)),
            free: [0, 1].map(|_| Box::new([0; N_HALVES])),
            free_sets: vec![0; N_FREE_SETS],
            compressed: [[0; 32]; 32],
        };
        ranks.fill_board();
        ranks.fill_free();
        for taken in 0..32 {
            for set in 0..32 {
                ranks.compressed[taken as usize][set as usize] = compress(taken, set) as u8;
            }
        }
        ranks
    }

    fn fill_board(&mut self) {
        for (part, tables) in (0..).zip(&mut self.board) {
            for (below, table) in (0..).zip(tables) {
                for (set, number) in (0..).zip(table) {
                    let places = bits(set << (part * TWO_RANKS) & BOARD).map(|bit| bit - bit / 6);
                    *number = colex(places, below) as u32;
                }
            }
        }
    }

    fn fill_free(&mut self) {
        let [lower, upper] = &mut self.free;
        for set in 0..N_HALVES as u32 {
            // Larger sets are never looked up; their indices need not fit.
            lower[set as usize] = colex(bits(set), 0) as u16;
            let below = (N_PIECES as u32).saturating_sub(set.count_ones());
            upper[set as usize] = colex(bits(set).map(|bit| bit + HALF), below) as u16;
        }
        for set in (0..1_u32 << N_FREE).filter(|set| set.count_ones() as usize == N_PIECES) {
            let number = self.of_free_bits(set);
            self.free_sets[number] = set;
        }
    }

    /// The index of a set of seven squares, below [`N_SETS`].
    #[inline]
    pub(super) fn of_set(&self, set: Squares) -> usize {
        let [low, middle, high] = &self.board;
        let (first, second) = (set & TWO_RANKS_MASK, set >> TWO_RANKS & TWO_RANKS_MASK);
        let (n_first, n_second) = (first.count_ones(), second.count_ones());
        let number = low[0][first as usize]
            + middle[n_first as usize][second as usize]
            + high[(n_first + n_second) as usize][(set >> (2 * TWO_RANKS)) as usize];
        number as usize
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
        let board = self
            .board
            .iter()
            .flatten()
            .map(|table| size_of_val(&table[..]));
        let free = self.free.iter().map(|table| size_of_val(&table[..]));
        board.chain(free).sum::<usize>() + size_of_val(&self.free_sets[..]) + size_of::<Ranks>()
    }

    /// The index of seven free squares, given as bits without gaps.
    #[inline]
    pub(super) fn of_free_bits(&self, set: u32) -> usize {
        let [lower, upper] = &self.free;
        let half = N_HALVES as u32 - 1;
        usize::from(lower[(set & half) as usize] + upper[(set >> HALF & half) as usize])
    }

    /// The free squares in the set of an index below [`N_FREE_SETS`], as bits without gaps.
    #[inline]
    pub(super) fn free_bits(&self, number: usize) -> u32 {
        self.free_sets[number]
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
        for (place, square) in (0..).zip(squares(BOARD & !taken)) {
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
        self.squares(ranks.free_bits(number))
    }
}

/// All sets of seven squares.
pub(super) fn sets() -> impl Iterator<Item = Squares> {
    let board = |set: u32| {
        (0..5).fold(0, |squares, rank| {
            squares | (set >> (5 * rank) & 31) << (6 * rank)
        })
    };
    let sets = (0..1_u32 << 25).filter(|set| set.count_ones() as usize == N_PIECES);
    sets.map(board)
}

/// The colexicographic rank of a set, given by the places of its bits. `below` is the number of bits of the set below
/// these places, whose terms are not included.
fn colex(places: impl Iterator<Item = u32>, below: u32) -> u64 {
    let terms = places
        .zip(below + 1..)
        .map(|(place, n)| choose(place.into(), n.into()));
    terms.sum()
}

fn choose(n: u64, k: u64) -> u64 {
    match k {
        _ if k > n => 0,
        _ => (0..k).fold(1, |product, i| product * (n - i) / (i + 1)),
    }
}

fn compress(taken: u32, set: u32) -> u32 {
    let free = bits(31 & !taken);
    let kept = (0..).zip(free).filter(|(_, bit)| set >> bit & 1 != 0);
    kept.map(|(place, _)| 1 << place).sum()
}

fn bits(set: u32) -> impl Iterator<Item = u32> {
    kit::bits::bits(set).map(u32::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_numbers_from_0() {
        let ranks = Ranks::new();
        let mut is_seen = vec![false; N_SETS];
        for set in sets() {
            assert!(
                !std::mem::replace(&mut is_seen[ranks.of_set(set)], true),
                "{set:#b}"
            );
        }
        assert!(is_seen.into_iter().all(|seen| seen));
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
