//! The pieces on the board, as sets of squares packed into words.
//!
//! A player's pieces are one word of four lanes, a set of squares for each size, the smallest in the low bits.
//! Covered pieces stay in their lanes; the lanes above determine which are visible.

use kit::Side;

use crate::geometry::{N_BITS, Square, Squares};

/// The size of a piece, 1 the smallest.
pub type Size = u8;

/// Lanes of a word, one for each size there is.
const N_LANES: Size = 4;

/// Odd constants with irregular bits, for the hash.
const SALT: [u64; 3] = [
    0x9e37_79b9_7f4a_7c15,
    0xd1b5_4a32_d192_ed03,
    0xaef1_7502_b3c6_9a4d,
];

/// The pieces on the board, a word for each player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Pieces([u64; 2]);

/// The visible pieces: for each player, the squares where his piece is on top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Visible([Squares; 2]);

impl Visible {
    #[inline]
    pub(crate) fn of(self, side: Side) -> Squares {
        self.0[side.index()]
    }
}

impl Pieces {
    /// Puts a piece on top of a square.
    #[inline]
    pub(crate) fn put(&mut self, side: Side, size: Size, to: Square) {
        self.0[side.index()] |= lane_bit(size, to);
    }

    /// Removes the visible piece from a square; it must be the player's.
    #[inline]
    pub(crate) fn lift(&mut self, side: Side, from: Square) -> Size {
        let size = top_size(self.0[side.index()], from);
        self.0[side.index()] ^= lane_bit(size, from);
        size
    }

    /// The size of the visible piece on a square; 0 on an empty one.
    #[inline]
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
    #[inline]
    pub(crate) fn squares_of(self, side: Side, size: Size) -> Squares {
        lane(self.0[side.index()], size)
    }

    /// How many pieces of a size a player has on the board, covered ones included.
    #[inline]
    pub(crate) fn count(self, side: Side, size: Size) -> u32 {
        self.squares_of(side, size).count_ones()
    }

    /// The squares with a piece of this size or a larger one.
    #[inline]
    pub(crate) fn at_least(self, size: Size) -> Squares {
        lane(fill_down(self.both()), size)
    }

    /// The visible pieces.
    #[inline]
    pub(crate) fn visible(self) -> Visible {
        let covered = fill_down(self.both()) >> N_BITS;
        Visible(self.0.map(|own| lane(fill_down(own & !covered), 1)))
    }

    /// A 64-bit hash; `seed` distinguishes positions that differ in anything else.
    #[inline]
    pub(crate) fn hash(self, seed: u64) -> u64 {
        let [red, yellow] = self.0;
        let pieces = fold(red ^ SALT[0], yellow ^ SALT[1]);
        fold(pieces ^ seed, SALT[2])
    }

    #[inline]
    fn both(self) -> u64 {
        self.0[0] | self.0[1]
    }
}

/// The bit of a piece in a player's word.
#[inline]
fn lane_bit(size: Size, square: Square) -> u64 {
    u64::from(square.bit()) << (N_BITS * usize::from(size - 1))
}

#[inline]
fn lane(word: u64, size: Size) -> Squares {
    (word >> (N_BITS * usize::from(size - 1))) as Squares
}

/// Sets each lane to the union of itself and the lanes above it.
#[inline]
fn fill_down(word: u64) -> u64 {
    let word = word | word >> N_BITS;
    word | word >> (2 * N_BITS)
}

/// The highest lane with this square, as a size; 0 if there is none.
#[inline]
fn top_size(word: u64, square: Square) -> Size {
    const ONE_A_LANE: u64 = 0x0001_0001_0001_0001;
    let column = word >> square.index() & ONE_A_LANE;
    N_LANES - (column.leading_zeros() / N_BITS as u32) as Size
}

/// Mixes two words by the two halves of their product.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
