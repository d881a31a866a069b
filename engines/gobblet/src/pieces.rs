//! Squares and pieces, as bits.
//!
//! Both boards are on a grid four squares wide, so a square has the same bit on 3x3 and on 4x4. A player's pieces are one
//! word of four lanes, a set of squares for each size, the smallest in the low bits. Covered pieces stay in their lanes;
//! the lanes above determine which are visible.

use kit::Side;

/// Distance between the bits of adjacent ranks.
pub(crate) const GRID: u8 = 4;
/// Number of bits in a set of squares, used or not.
pub(crate) const N_BITS: usize = 16;

/// A set of squares: bit `file + 4 * rank` for each.
pub(crate) type Squares = u16;

/// A square of either board.
pub type Square = kit::Square<GRID>;

/// The set that consists of a square.
pub(crate) const fn bit(square: Square) -> Squares {
    1 << square.index()
}

/// The size of a piece; 1 is the smallest.
pub type Size = u8;

/// The lowest bit of each lane.
const ONE_A_LANE: u64 = 0x0001_0001_0001_0001;

/// Lanes of a word, one for each size.
const N_LANES: Size = 4;

/// Bits per square in the word of [visible pieces](Pieces::tops).
pub(crate) const TOP_BITS: usize = 4;

/// Odd constants with irregular bits, for the hash.
const SALT: [u64; 3] = [
    0x9e37_79b9_7f4a_7c15,
    0xd1b5_4a32_d192_ed03,
    0xaef1_7502_b3c6_9a4d,
];

/// The pieces on the board, a word for each player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Pieces([u64; 2]);

impl Pieces {
    /// Puts a piece on top of a square.
    pub(crate) fn put(&mut self, side: Side, size: Size, to: Square) {
        self.0[side.index()] |= lane_bit(size, to);
    }

    /// Removes the visible piece from a square; it must be the player's.
    pub(crate) fn lift(&mut self, side: Side, from: Square) -> Size {
        let size = top_size(self.0[side.index()], from);
        self.0[side.index()] ^= lane_bit(size, from);
        size
    }

    /// The size of the visible piece on a square; 0 on an empty one.
    pub(crate) fn size_at(self, square: Square) -> Size {
        top_size(self.both(), square)
    }

    /// The pieces on a square from the bottom up.
    pub(crate) fn pile(self, square: Square) -> impl Iterator<Item = (Side, Size)> {
        (1..=N_LANES).flat_map(move |size| {
            let stands = move |side: &Side| self.0[side.index()] & lane_bit(size, square) != 0;
            Side::BOTH
                .into_iter()
                .filter(stands)
                .map(move |side| (side, size))
        })
    }

    /// The squares with a player's piece of this size, visible or covered.
    pub(crate) fn squares_of(self, side: Side, size: Size) -> Squares {
        lane(self.0[side.index()], size)
    }

    /// Number of pieces of a size that a player has on the board, covered ones included.
    pub(crate) fn count(self, side: Side, size: Size) -> u32 {
        self.squares_of(side, size).count_ones()
    }

    /// The squares with a piece of this size or a larger one.
    pub(crate) fn at_least(self, size: Size) -> Squares {
        lane(fill_down(self.both()), size)
    }

    /// For each player, the squares with the player's piece on top.
    pub(crate) fn visible(self) -> [Squares; 2] {
        let covered = fill_down(self.both()) >> N_BITS;
        self.0.map(|own| lane(fill_down(own & !covered), 1))
    }

    /// The visible pieces, [`TOP_BITS`] per square: the size less one, then a bit for player 1 and one for player 2; 0
    /// on an empty square.
    pub(crate) fn tops(self) -> u64 {
        let covered = fill_down(self.both()) >> N_BITS;
        let own = self.0.map(|own| own & !covered);
        let of_size = |size| lane(own[0] | own[1], size);
        let size_bits = [of_size(2) | of_size(4), of_size(3) | of_size(4)];
        let owner_bits = own.map(|own| lane(fill_down(own), 1));
        let bits = size_bits.into_iter().chain(owner_bits);
        bits.rev().fold(0, |tops, bit| tops << 1 | spread(bit))
    }

    /// The sizes of each player's pieces on a square, visible or covered: one bit per size.
    pub(crate) fn sizes_on(self, square: Square) -> [u8; 2] {
        // The product moves a bit of each lane to the highest lane, next to each other.
        const GATHER: u64 = 1 << 48 | 1 << 33 | 1 << 18 | 1 << 3;
        self.0.map(|own| {
            let column = own >> square.index() & ONE_A_LANE;
            (column.wrapping_mul(GATHER) >> 48 & 15) as u8
        })
    }

    /// Number of pieces of each size that a player has on the board, two bits per size.
    pub(crate) fn counts(self, side: Side) -> usize {
        let sizes = (1..=N_LANES).rev();
        sizes.fold(0, |counts, size| {
            counts << 2 | self.count(side, size) as usize
        })
    }

    /// A 64-bit hash; `seed` distinguishes positions that differ in anything else.
    pub(crate) fn hash(self, seed: u64) -> u64 {
        let [red, yellow] = self.0;
        let pieces = fold(red ^ SALT[0], yellow ^ SALT[1]);
        fold(pieces ^ seed, SALT[2])
    }

    fn both(self) -> u64 {
        self.0[0] | self.0[1]
    }
}

/// The bit of a piece in a player's word.
fn lane_bit(size: Size, square: Square) -> u64 {
    u64::from(bit(square)) << (N_BITS * usize::from(size - 1))
}

fn lane(word: u64, size: Size) -> Squares {
    (word >> (N_BITS * usize::from(size - 1))) as Squares
}

/// Sets each lane to the union of itself and the lanes above it.
fn fill_down(word: u64) -> u64 {
    let word = word | word >> N_BITS;
    word | word >> (2 * N_BITS)
}

/// The highest lane with this square, as a size; 0 if there is none.
fn top_size(word: u64, square: Square) -> Size {
    let column = word >> square.index() & ONE_A_LANE;
    N_LANES - (column.leading_zeros() / N_BITS as u32) as Size
}

/// The squares of a set, [`TOP_BITS`] apart.
fn spread(set: Squares) -> u64 {
    let word = u64::from(set);
    let word = (word | word << 24) & 0x0000_00ff_0000_00ff;
    let word = (word | word << 12) & 0x000f_000f_000f_000f;
    let word = (word | word << 6) & 0x0303_0303_0303_0303;
    (word | word << 3) & 0x1111_1111_1111_1111
}

/// Mixes two words by the two halves of their product.
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
