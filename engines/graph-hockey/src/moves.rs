//! The twenty moves: their letters, their order, and sets of them.

use std::fmt;

use crate::plane::{GridPoint, Segment};

/// Letters and steps, in canonical order.
const MOVES: [(char, i32, i32); N_MOVES] = [
    ('W', -2, 2),
    ('E', -1, 2),
    ('R', 0, 2),
    ('T', 1, 2),
    ('Y', 2, 2),
    ('Q', -2, 1),
    ('U', 2, 1),
    ('A', -2, 0),
    ('I', 2, 0),
    ('S', -2, -1),
    ('K', 2, -1),
    ('D', -2, -2),
    ('F', -1, -2),
    ('G', 0, -2),
    ('H', 1, -2),
    ('J', 2, -2),
    ('V', 0, 8),
    ('B', 0, -8),
    ('Z', -8, 0),
    ('L', 8, 0),
];

/// Number of moves.
pub(crate) const N_MOVES: usize = 20;

/// A step of the puck, one of twenty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u8);

impl Move {
    /// All moves, in canonical order.
    pub fn all() -> impl DoubleEndedIterator<Item = Move> {
        (0..N_MOVES as u8).map(Move)
    }

    /// The move of an upper-case letter.
    pub fn from_letter(letter: char) -> Option<Move> {
        Move::all().find(|mv| mv.letter() == letter)
    }

    /// The move at this index in canonical order, which must be less than twenty.
    pub(crate) fn at(index: usize) -> Move {
        assert!(index < N_MOVES, "there are twenty moves");
        Move(index as u8)
    }

    /// The move that draws a segment as long as one.
    pub(crate) fn along(segment: &Segment) -> Move {
        let leads = |mv: &Move| segment.from + mv.step() == segment.to;
        Move::all()
            .find(leads)
            .expect("a segment as long as a move")
    }

    /// The letter, in upper case.
    pub fn letter(self) -> char {
        MOVES[self.index()].0
    }

    /// The step from the old point to the new one, in eighths of an inch.
    pub(crate) fn step(self) -> GridPoint {
        let (_, x, y) = MOVES[self.index()];
        GridPoint { x, y }
    }

    /// Its index in canonical order.
    pub(crate) fn index(self) -> usize {
        self.0.into()
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A set of moves: a bit for each, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Moves(pub(crate) u32);

impl Moves {
    pub(crate) fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub(crate) fn contains(self, mv: Move) -> bool {
        self.0 >> mv.0 & 1 == 1
    }
}

impl FromIterator<Move> for Moves {
    fn from_iter<T: IntoIterator<Item = Move>>(moves: T) -> Moves {
        Moves(moves.into_iter().fold(0, |set, mv| set | 1 << mv.0))
    }
}

/// Iterates in canonical order.
impl Iterator for Moves {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let first = self.0.trailing_zeros();
        if first == u32::BITS {
            return None;
        }
        self.0 &= self.0 - 1;
        Some(Move(first as u8))
    }
}
