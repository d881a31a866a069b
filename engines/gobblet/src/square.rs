//! Squares, and sets of squares as bits.
//!
//! Both boards are on a grid four squares wide, so a square has the same bit on 3x3 and on 4x4.

use std::fmt;

use kit::bits::bits;

/// Distance between the bits of adjacent ranks.
pub(crate) const GRID: u8 = 4;
/// Number of bits in a set of squares, used or not.
pub(crate) const N_BITS: usize = 16;

/// A set of squares: bit `file + 4 * rank` for each.
pub(crate) type Squares = u16;

/// A square, numbered in canonical order: a1, b1, ..., then rank 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square of a file and a rank, both counted from 0 and below 4.
    pub(crate) const fn at(file: u8, rank: u8) -> Square {
        Square(file + GRID * rank)
    }

    /// Its file, from 0 at the left.
    pub(crate) const fn file(self) -> u8 {
        self.0 % GRID
    }

    /// Its rank, from 0 at the bottom.
    pub(crate) const fn rank(self) -> u8 {
        self.0 / GRID
    }

    /// The position of its bit, below [`N_BITS`].
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) const fn bit(self) -> Squares {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.file());
        write!(f, "{file}{}", self.rank() + 1)
    }
}

/// The squares of a set, in canonical order.
pub(crate) fn squares(set: Squares) -> impl Iterator<Item = Square> {
    bits(set).map(Square)
}
