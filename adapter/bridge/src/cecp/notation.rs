//! XBoard's notation of positions, squares and moves. In positions `*` is a hole in the board, runs may have two digits, and
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
    /// Parses board, holdings and side to move. Ignores the rest (castling, counters).
    ///
    /// # Errors
    /// Names the part that cannot be parsed, and what was expected.
    pub(crate) fn parse(text: &str) -> Result<Fen, String> {
        let fields = text.trim().split_once(' ');
        let (placement, rest) = fields.ok_or("no side to move: expected ranks, then w or b")?;
        let (ranks, holdings) = match placement.split_once('[') {
            None => (placement, None),
            Some((ranks, held)) => (ranks, Some(parse_holdings(held)?)),
        };
        let side = match rest.split_whitespace().next() {
            Some("w") => Side::P1,
            Some("b") => Side::P2,
            word => {
                let word = word.unwrap_or_default();
                return Err(format!("side to move {word:?}: expected w or b"));
            }
        };
        let ranks = ranks.split('/').map(parse_rank).collect::<Result<_, _>>()?;
        Ok(Fen {
            ranks,
            holdings,
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

fn parse_holdings(text: &str) -> Result<String, String> {
    let held = text.strip_suffix(']').ok_or("no ] after the holdings")?;
    match held.chars().find(|held| !held.is_ascii_alphabetic()) {
        None => Ok(held.to_owned()),
        Some('-') if held == "-" => Ok(String::new()),
        Some(other) => Err(format!("{other:?} in the holdings: expected letters")),
    }
}

/// Parses a rank or row of squares, with runs of empty ones as numbers.
pub(super) fn parse_rank(text: &str) -> Result<Vec<char>, String> {
    let mut rank = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_run = (1..=2).contains(&n_digits);
        if first == HOLE || first.is_ascii_alphabetic() {
            rank.push(first);
        } else if let Some(run) = rest[..n_digits].parse().ok().filter(|_| is_run) {
            rank.extend(std::iter::repeat_n(EMPTY, run));
        } else {
            return Err(format!(
                "{first:?} in rank {:?}: expected letters, * and runs of empty squares",
                protocol::text::excerpt(text)
            ));
        }
        rest = &rest[n_digits.max(1)..];
    }
    Ok(rank)
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

/// File of Black's holdings, two to the left of `a`.
pub(crate) const BLACK_HOLDINGS: u8 = 0_u8.wrapping_sub(2);

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

/// Numbering of ranks: from 1, but from 0 on boards with ten ranks, so that one digit is enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RankNumbers {
    pub(crate) n_ranks: u8,
}

impl RankNumbers {
    fn first(self) -> u8 {
        u8::from(self.n_ranks != 10)
    }

    /// Formats a square, as in `e4`.
    pub(crate) fn square(self, square: Point) -> String {
        let file = char::from(b'a' + square.column);
        format!("{file}{}", square.row + self.first())
    }

    /// Formats a move: `e2e4`, `S@e4` or `@@@@`.
    pub(crate) fn mv(self, mv: Move) -> String {
        match mv {
            Move::Pass => "@@@@".to_owned(),
            Move::Drop { piece, to } => format!("{piece}@{}", self.square(to)),
            Move::Step { from, to } => self.square(from) + &self.square(to),
        }
    }

    /// Parses a square.
    pub(crate) fn read_square(self, text: &str) -> Option<Point> {
        match self.split_square(text)? {
            (square, "") => Some(square),
            _ => None,
        }
    }

    /// Parses a move in coordinates. The squares may be beyond the board.
    pub(crate) fn read_move(self, text: &str) -> Option<Move> {
        if text == "@@@@" {
            return Some(Move::Pass);
        }
        if let Some((piece, to)) = text.split_once('@') {
            let mut letters = piece.chars();
            let (piece, None) = (letters.next()?, letters.next()) else {
                return None;
            };
            let to = self.read_square(to)?;
            return piece.is_ascii_alphabetic().then(|| Move::Drop {
                piece: piece.to_ascii_uppercase(),
                to,
            });
        }
        let (from, rest) = self.split_square(text)?;
        let to = self.read_square(rest)?;
        Some(Move::Step { from, to })
    }

    /// Parses the square of a `lift`, which may be in the holdings. XBoard continues the file letters beyond both ends
    /// of the board, so Black's first file is two before `a`, written `_`.
    pub(crate) fn read_lifted(self, text: &str) -> Option<Point> {
        let Some(rank) = text.strip_prefix('_') else {
            return self.read_square(text);
        };
        let mut square = self.read_square(&format!("a{rank}"))?;
        square.column = BLACK_HOLDINGS;
        Some(square)
    }

    fn split_square(self, text: &str) -> Option<(Point, &str)> {
        let column = text.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
        let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
        let number: u8 = text[1..=digits].parse().ok()?;
        let row = number.checked_sub(self.first())?;
        Some((Point { column, row }, &text[1 + digits..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_read_back() {
        for text in [
            "sssss/s3s/5/S3S/SSSSS w - - 0 1",
            "****5/***6/**7/*8/9/8*/7**/6***/5****[SSs] b - - 0 1",
            "12/11*/A1b9*[-] w - - 0 1",
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
            ("5/4! w", "'!' in rank"),
            ("5/100 w", "'1' in rank"),
            ("5/5[S w", "no ]"),
            ("5/5[1] w", "'1' in the holdings"),
        ] {
            let error = Fen::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn moves_read_back() {
        for (n_ranks, text) in [
            (5, "a1b2"),
            (5, "@@@@"),
            (9, "S@e9"),
            (11, "a10k11"),
            (12, "S@l12"),
            (10, "a0b9"),
            (10, "S@j0"),
        ] {
            let ranks = RankNumbers { n_ranks };
            let mv = ranks.read_move(text);
            assert_eq!(mv.map(|mv| ranks.mv(mv)).as_deref(), Some(text));
        }
        let lower = RankNumbers { n_ranks: 5 }.read_move("s@a1");
        assert_eq!(lower, RankNumbers { n_ranks: 5 }.read_move("S@a1"));
    }

    #[test]
    fn ten_ranks_are_numbered_from_zero() {
        let square = Point { column: 0, row: 0 };
        assert_eq!(RankNumbers { n_ranks: 10 }.square(square), "a0");
        assert_eq!(RankNumbers { n_ranks: 11 }.square(square), "a1");
        assert_eq!(RankNumbers { n_ranks: 9 }.read_square("a0"), None);
    }

    #[test]
    fn a_lifted_piece_may_be_in_the_holdings() {
        let numbers = RankNumbers { n_ranks: 9 };
        let black = Point {
            column: BLACK_HOLDINGS,
            row: 8,
        };
        assert_eq!(numbers.read_lifted("_9"), Some(black));
        let white = Point { column: 10, row: 0 };
        assert_eq!(numbers.read_lifted("k1"), Some(white));
        assert_eq!(numbers.read_lifted("_"), None);
        assert_eq!(numbers.read_square("_9"), None);
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for text in [
            "", "e2", "e2e", "@e2", "S@", "SS@e2", "1@e2", "e2e4q", "e300e1", "é1e2", "@@@",
        ] {
            assert_eq!(RankNumbers { n_ranks: 8 }.read_move(text), None, "{text:?}");
        }
    }
}
