//! The board's geometry: lines, and conditions on sets of squares.

use crate::line_reader::LineReader;
use crate::pieces::{Square, Squares, bit};

/// Number of lines of the larger board. The smaller board repeats some of its lines, so that all loops over lines have
/// a fixed length and no early exit, and the compiler can vectorise them.
const N_LINES: usize = 10;

/// The geometry of one of the two boards.
#[derive(Debug, Clone)]
pub(crate) struct Geometry {
    /// Squares per side.
    pub(crate) width: u8,
    /// The set of all squares.
    pub(crate) all: Squares,
    /// Each line at least once.
    lines: [Squares; N_LINES],
    /// The readers of the visible pieces along each of the [lines](Geometry::lines).
    pub(crate) readers: [LineReader; N_LINES],
}

impl Geometry {
    /// The board of `width` squares per side, 3 or 4.
    pub(crate) fn new(width: u8) -> Geometry {
        let all = all_lines(width);
        let lines = std::array::from_fn(|i| all[i % all.len()]);
        Geometry {
            width,
            all: all.iter().fold(0, |all, line| all | line),
            lines,
            readers: lines.map(|line| LineReader::new(line, width)),
        }
    }

    /// The rows, the columns and the two main diagonals, each once.
    pub(crate) fn lines(&self) -> &[Squares] {
        &self.lines[..2 * usize::from(self.width) + 2]
    }

    /// Number of borders that a square touches: 2 in a corner.
    pub(crate) fn borders(&self, square: Square) -> usize {
        [square.file(), square.rank()]
            .into_iter()
            .filter(|&n| n == 0 || n + 1 == self.width)
            .count()
    }

    /// `true` if the set contains a full line.
    pub(crate) fn has_line(&self, set: Squares) -> bool {
        let is_full = |line: Squares| set & line == line;
        self.lines
            .iter()
            .fold(false, |any, &line| any | is_full(line))
    }

    /// The squares common to all full lines of the set; all squares if it contains none.
    pub(crate) fn common(&self, set: Squares) -> Squares {
        let only_full = |line: Squares| if set & line == line { line } else { !0 };
        self.lines
            .iter()
            .fold(!0, |common, &line| common & only_full(line))
    }

    /// The squares outside the set each of which would complete a line.
    pub(crate) fn completing(&self, set: Squares) -> Squares {
        let last = |line: Squares| single(line & !set);
        self.lines.iter().fold(0, |found, &line| found | last(line))
    }

    /// The squares of the set that are on lines with exactly one square missing.
    pub(crate) fn nearly_full(&self, set: Squares) -> Squares {
        let held = |line: Squares| {
            if single(line & !set) != 0 {
                line & set
            } else {
                0
            }
        };
        self.lines.iter().fold(0, |found, &line| found | held(line))
    }
}

/// The set if it has exactly one square, otherwise the empty set.
fn single(set: Squares) -> Squares {
    if set & set.wrapping_sub(1) == 0 {
        set
    } else {
        0
    }
}

fn all_lines(width: u8) -> Vec<Squares> {
    let line = |square: &dyn Fn(u8) -> Square| (0..width).fold(0, |set, i| set | bit(square(i)));
    let mut lines = Vec::new();
    for n in 0..width {
        lines.push(line(&|i| Square::at(i, n)));
        lines.push(line(&|i| Square::at(n, i)));
    }
    lines.push(line(&|i| Square::at(i, i)));
    lines.push(line(&|i| Square::at(i, width - 1 - i)));
    lines
}
