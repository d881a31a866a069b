//! XBoard's notation of positions, and its moves. In positions `*` is a hole in the board, runs may have two digits, and
//! brackets enclose the holdings.

use std::fmt;

use kit::Side;
use kit::fen::format_row;

use crate::points::Point;

/// A square that is no part of the board.
pub(super) const HOLE: char = '*';

/// An empty square. All others are the letters of pieces; capitals are White's.
pub(super) const EMPTY: char = '.';

/// A position in XBoard's dialect. White is player 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fen {
    /// Ranks from the top, each from the left.
    pub(crate) ranks: Vec<Vec<char>>,
    /// Pieces off the board, White's first; `None` on a board without holdings.
    pub(crate) holdings: Option<String>,
    /// Side to move.
    pub(crate) side: Side,
}

impl Fen {
    /// Parses ranks and side to move. Ignores the rest (holdings, castling, counters). The ranks may hold any signs.
    ///
    /// # Errors
    /// There is no side to move.
    pub(crate) fn parse(text: &str) -> Result<Fen, String> {
        let fields = text.trim().split_once(' ');
        let (placement, rest) = fields.ok_or("no side to move: expected ranks, then w or b")?;
        let side = match rest.split_whitespace().next() {
            Some("w") => Side::P1,
            Some("b") => Side::P2,
            word => {
                let word = word.unwrap_or_default();
                return Err(format!("side to move {word:?}: expected w or b"));
            }
        };
        let ranks = placement.split('[').next().unwrap_or_default();
        Ok(Fen {
            ranks: ranks.split('/').map(parse_rank).collect(),
            holdings: None,
            side,
        })
    }

    /// A board with the same content on all squares, without holdings.
    pub(super) fn filled(n_files: u8, n_ranks: u8, content: char) -> Fen {
        Fen {
            ranks: vec![vec![content; n_files.into()]; n_ranks.into()],
            holdings: None,
            side: Side::P1,
        }
    }

    pub(super) fn put(&mut self, square: Point, content: char) {
        let row = self.ranks.len() - 1 - usize::from(square.row);
        self.ranks[row][usize::from(square.column)] = content;
    }

    /// The pieces on some squares of the board, each with the index of its square.
    pub(super) fn pieces(&self, squares: &[Point]) -> Vec<(usize, char)> {
        let contents = squares.iter().map(|square| self.at(*square));
        let pieces = contents.map(Option::unwrap_or_default).enumerate();
        pieces.filter(|(_, piece)| *piece != EMPTY).collect()
    }

    /// The ranks without holdings, as in `2s2/3S1`.
    pub(super) fn placement(&self) -> String {
        let ranks = self.ranks.iter();
        let ranks = ranks.map(|rank| with_runs(rank.iter().copied()));
        ranks.collect::<Vec<_>>().join("/")
    }

    /// Returns the content of a square; `None` beyond the board.
    pub(crate) fn at(&self, square: Point) -> Option<char> {
        let row = self.ranks.len().checked_sub(usize::from(square.row) + 1)?;
        self.ranks[row].get(usize::from(square.column)).copied()
    }
}

/// Parses a rank or row of squares, with runs of empty ones as numbers of one or two digits.
pub(super) fn parse_rank(text: &str) -> Vec<char> {
    let (mut rank, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count().min(2);
        let length = match rest[..n_digits].parse() {
            Ok(run) => {
                rank.extend(std::iter::repeat_n(EMPTY, run));
                n_digits
            }
            Err(_) => {
                rank.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    rank
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.placement())?;
        match self.holdings.as_deref() {
            None => {}
            Some("") => f.write_str("[-]")?,
            Some(held) => write!(f, "[{held}]")?,
        }
        let side = ['w', 'b'][self.side.index()];
        write!(f, " {side} - - 0 1")
    }
}

/// Formats a row of cells. Runs of empty ones become numbers.
pub(super) fn with_runs(cells: impl IntoIterator<Item = char>) -> String {
    let cells = cells.into_iter();
    format_row(cells.map(|cell| (cell != EMPTY).then_some(cell)))
}

/// A move in XBoard's terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Move {
    /// Drops a piece from the holdings.
    Drop {
        /// Letter of the piece, a capital for both sides.
        piece: char,
        /// Target square.
        to: Point,
    },
    /// A piece moves on the board.
    Step {
        /// Source square.
        from: Point,
        /// Target square.
        to: Point,
    },
    /// Leaves the move to the other side.
    Pass,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_read_back() {
        for text in [
            "sssss/s3s/5/S3S/SSSSS w - - 0 1",
            "****5/***6/**7/*8/9/8*/7**/6***/5**** b - - 0 1",
            "12/11*/A1b9* w - - 0 1",
        ] {
            assert_eq!(Fen::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn counters_of_xboard_are_skipped() {
        let fen = Fen::parse("2s/3[S] b - - 12 34").unwrap();
        assert_eq!(fen.side, Side::P2);
        assert_eq!(fen.at(Point { column: 2, row: 1 }), Some('s'));
        assert_eq!(fen.at(Point { column: 2, row: 2 }), None);
        assert_eq!(fen.at(Point { column: 3, row: 0 }), None);
    }

    #[test]
    fn errors_name_the_part() {
        for (text, part) in [
            ("5/5", "no side to move"),
            ("5/5 x", "side to move \"x\""),
            ("5/5 ", "no side to move"),
        ] {
            let error = Fen::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
