//! The input of a line, read from the word of visible pieces.

use std::array;
use std::sync::LazyLock;

use kit::network::pattern_classes;

use crate::pieces::{Square, Squares, TOP_BITS};

/// The visible pieces on a line from one end to the other, four bits per square: the size less one, own piece, enemy
/// piece.
type Pattern = u16;

const N_PATTERNS: usize = 1 << 16;
/// Number of patterns that occur, up to reversal. Of the patterns of four squares with nine states, 81 are palindromes.
pub(crate) const N_KINDS: usize = (6561 + 81) / 2;
/// The first input of lines: those at the border, other rows and columns, diagonals.
pub(crate) const LINES: usize = 0;

/// The index of each pattern that occurs.
static KINDS: LazyLock<Box<[u16; N_PATTERNS]>> = LazyLock::new(|| {
    pattern_classes(|pattern| occurs(pattern).then(|| pattern.min(reversed(pattern))))
});

/// The four squares of a pattern.
fn tops(pattern: Pattern) -> [u16; 4] {
    array::from_fn(|i| pattern >> (4 * i) & 15)
}

fn occurs(pattern: Pattern) -> bool {
    tops(pattern)
        .iter()
        .all(|&top| top == 0 || matches!(top >> 2, 1 | 2))
}

fn reversed(pattern: Pattern) -> Pattern {
    tops(pattern).iter().fold(0, |sum, top| sum << 4 | top)
}

/// The locations of a line's squares in the word of visible pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LineReader {
    squares: u64,
    /// Multiplication by this moves the squares of the line to the highest 16 bits.
    gather: u64,
    first_input: u16,
}

impl LineReader {
    /// The reader of a line on a board of this width.
    pub(crate) fn new(line: Squares, width: u8) -> LineReader {
        let mut path: Vec<Square> = Square::of(line).collect();
        path.sort_by_key(|square| (square.file(), square.rank()));
        let (first, last) = (path[0], path[path.len() - 1]);
        let is_inner = |n: u8| usize::from(n > 0 && n + 1 < width);
        let class = match (first.file() == last.file(), first.rank() == last.rank()) {
            (true, _) => is_inner(first.file()),
            (_, true) => is_inner(first.rank()),
            _ => 2,
        };
        let bits = || path.iter().map(|square| TOP_BITS * square.index());
        let gathered = (48..).step_by(TOP_BITS).zip(bits());
        LineReader {
            squares: bits().fold(0, |set, bit| set | 15 << bit),
            gather: gathered.fold(0, |factor, (to, bit)| factor | 1 << (to - bit)),
            first_input: (LINES + class * N_KINDS) as u16,
        }
    }

    pub(crate) fn pattern(&self, tops: u64) -> Pattern {
        ((tops & self.squares).wrapping_mul(self.gather) >> 48) as Pattern
    }

    pub(crate) fn input(&self, tops: u64) -> u16 {
        self.first_input + KINDS[usize::from(self.pattern(tops))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_numbered_without_gaps() {
        let most = KINDS.iter().max().expect("patterns");
        assert_eq!(usize::from(*most) + 1, N_KINDS);
    }
}
