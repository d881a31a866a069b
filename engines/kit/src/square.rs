//! Squares of a small board. A set of squares is a word with a bit for each.

use std::fmt;

use crate::Rejection;
use crate::bits::bits;
use crate::notation::excerpt;

/// A square of a board whose ranks are `STRIDE` numbers apart. The numbers are in canonical order: a1, b1, ..., then rank
/// 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square<const STRIDE: u8>(u8);

impl<const STRIDE: u8> Square<STRIDE> {
    /// The square of a file and a rank, both counted from 0.
    pub const fn at(file: u8, rank: u8) -> Self {
        Square(file + STRIDE * rank)
    }

    /// The squares of a set, in canonical order.
    #[inline]
    pub fn of(set: impl Into<u64>) -> impl Iterator<Item = Self> {
        bits(set).map(Square)
    }

    /// The names of the squares of a set.
    pub fn names(set: impl Into<u64>) -> String {
        let names: Vec<String> = Self::of(set).map(|square| square.to_string()).collect();
        names.join(" ")
    }

    /// The squares of a board with `width` files and ranks in the order of position strings: the top rank from the left,
    /// then the ranks below.
    pub fn from_the_top(width: u8) -> impl Iterator<Item = Self> {
        let rank = move |rank| (0..width).map(move |file| Square::at(file, rank));
        (0..width).rev().flat_map(rank)
    }

    /// Reads a square such as `b2` on a board with `width` files and ranks. The letter may be in either case.
    ///
    /// # Errors
    /// There is no such square.
    pub fn parse(word: &str, width: u8) -> Result<Self, Rejection> {
        let word = word.trim();
        if let &[file, rank] = word.as_bytes() {
            let file = file.to_ascii_lowercase().wrapping_sub(b'a');
            let rank = rank.wrapping_sub(b'1');
            if file < width && rank < width {
                return Ok(Square::at(file, rank));
            }
        }
        let (word, last) = (excerpt(word), Self::at(width - 1, width - 1));
        Err(Rejection(format!(
            "{word:?} is not a square: squares are a1 to {last}"
        )))
    }

    /// Its file, from 0 at the left.
    pub const fn file(self) -> u8 {
        self.0 % STRIDE
    }

    /// Its rank, from 0 at the bottom.
    pub const fn rank(self) -> u8 {
        self.0 / STRIDE
    }

    /// Its number, which is the position of its bit in a set.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set that consists of this square.
    pub const fn bit(self) -> u32 {
        1 << self.0
    }

    /// The image of a square of a board with `width` files and ranks under one of eight symmetries: bit 0 reflects the
    /// files, bit 1 the ranks, then bit 2 exchanges files and ranks.
    pub fn turned(self, symmetry: usize, width: u8) -> Self {
        let reflected = |bit: usize, place: u8| {
            if symmetry & bit != 0 {
                width - 1 - place
            } else {
                place
            }
        };
        let (file, rank) = (reflected(1, self.file()), reflected(2, self.rank()));
        if symmetry & 4 != 0 {
            Square::at(rank, file)
        } else {
            Square::at(file, rank)
        }
    }
}

impl<const STRIDE: u8> fmt::Display for Square<STRIDE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.file());
        write!(f, "{file}{}", self.rank() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_on_the_board() {
        assert_eq!(Square::<4>::parse(" B3 ", 3), Ok(Square::at(1, 2)));
        for word in ["", "b", "b0", "b4", "d1", "b22", "é"] {
            let why = format!("{word:?} is not a square: squares are a1 to c3");
            assert_eq!(Square::<4>::parse(word, 3), Err(Rejection(why)));
        }
    }
}
