//! Half moves as GTP writes them: a point, or `pass`. `A1` is the lower left corner, the letter I is skipped, and `AA`
//! follows `Z`.

use std::fmt;

use crate::points::Point;

/// Letters of the columns. Two letters follow `Z`.
const LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// GoGui's maximum board size, which two letters cover.
const MAX_SIZE: u8 = 52;

/// A half move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Click {
    /// A point of the board.
    At(Point),
    /// A move without a point, which GUIs send as a pass.
    Pass,
}

impl Click {
    /// Parses a vertex, ignoring case: the half move that is written like this.
    pub fn parse(word: &str) -> Option<Click> {
        let column = |column| (0..MAX_SIZE).map(move |row| Click::At(Point { column, row }));
        let mut clicks = (0..MAX_SIZE).flat_map(column).chain([Click::Pass]);
        clicks.find(|click| click.to_string().eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for Click {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Click::At(Point { column, row }) = *self else {
            return f.write_str("pass");
        };
        let (tens, ones) = (usize::from(column) / 25, usize::from(column) % 25);
        if let Some(tens) = tens.checked_sub(1) {
            write!(f, "{}", char::from(LETTERS[tens]))?;
        }
        write!(f, "{}{}", char::from(LETTERS[ones]), u32::from(row) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(column: u8, row: u8) -> Click {
        Click::At(Point { column, row })
    }

    #[test]
    fn points_are_written_as_gogui_reads_them() {
        for (vertex, text) in [
            (at(0, 0), "A1"),
            (at(7, 1), "H2"),
            (at(8, 2), "J3"),
            (at(24, 24), "Z25"),
            (at(25, 25), "AA26"),
            (at(34, 0), "AK1"),
            (at(50, 51), "BA52"),
            (Click::Pass, "pass"),
        ] {
            assert_eq!(vertex.to_string(), text);
            assert_eq!(Click::parse(text), Some(vertex));
            assert_eq!(Click::parse(&text.to_lowercase()), Some(vertex));
        }
    }

    #[test]
    fn every_point_reads_back() {
        for column in 0..MAX_SIZE {
            for row in [0, 8, 51] {
                let vertex = at(column, row);
                assert_eq!(Click::parse(&vertex.to_string()), Some(vertex));
            }
        }
    }

    #[test]
    fn what_is_no_point_is_refused() {
        for text in [
            "", "A", "1", "I1", "A0", "A53", "A+1", "A256", "AAA1", "ZZ1", "A 1", "Ä1", "resign",
        ] {
            assert_eq!(Click::parse(text), None, "{text:?}");
        }
    }
}
