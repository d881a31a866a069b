//! Squares and moves in XBoard's notation.

use crate::points::Point;

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
