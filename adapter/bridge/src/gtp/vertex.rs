//! Points in GTP's notation: `A1` is the lower left corner, the letter I is skipped, and `AA` follows `Z`.

use std::fmt;

use crate::half_moves::{Click, Point};

/// Number of columns with one letter.
const N_LETTERS: u8 = 25;

/// GoGui's maximum board size, which two letters cover.
const MAX_SIZE: u8 = 52;

/// A half move: a point, or `pass`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vertex(pub Click);

impl Vertex {
    /// Parses a vertex, ignoring case.
    pub fn parse(word: &str) -> Option<Vertex> {
        if word.eq_ignore_ascii_case("pass") {
            return Some(Vertex(Click::Pass));
        }
        let n_letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (letters, digits) = word.split_at(n_letters);
        let column = match letters.as_bytes() {
            [one] => index(*one)?,
            [first, second] => {
                let before = N_LETTERS.checked_mul(index(*first)? + 1)?;
                before.checked_add(index(*second)?)?
            }
            _ => return None,
        };
        let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
        let row: Option<u8> = digits.parse().ok().filter(|_| is_number);
        let row = row?.checked_sub(1)?;
        let is_point = column < MAX_SIZE && row < MAX_SIZE;
        is_point.then_some(Vertex(Click::At(Point { column, row })))
    }
}

/// Returns the index of a column letter.
fn index(letter: u8) -> Option<u8> {
    match letter.to_ascii_uppercase() {
        b'I' => None,
        letter @ b'A'..b'I' => Some(letter - b'A'),
        letter => Some(letter - b'A' - 1),
    }
}

fn letter(index: u8) -> char {
    let skipped = u8::from(index >= b'I' - b'A');
    char::from(b'A' + index + skipped)
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Click::At(Point { column, row }) = self.0 else {
            return f.write_str("pass");
        };
        let (tens, ones) = (column / N_LETTERS, column % N_LETTERS);
        if tens > 0 {
            write!(f, "{}", letter(tens - 1))?;
        }
        write!(f, "{}{}", letter(ones), u32::from(row) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(column: u8, row: u8) -> Vertex {
        Vertex(Click::At(Point { column, row }))
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
            (Vertex(Click::Pass), "pass"),
        ] {
            assert_eq!(vertex.to_string(), text);
            assert_eq!(Vertex::parse(text), Some(vertex));
            assert_eq!(Vertex::parse(&text.to_lowercase()), Some(vertex));
        }
    }

    #[test]
    fn every_point_reads_back() {
        for column in 0..MAX_SIZE {
            for row in [0, 8, 51] {
                let vertex = at(column, row);
                assert_eq!(Vertex::parse(&vertex.to_string()), Some(vertex));
            }
        }
    }

    #[test]
    fn what_is_no_point_is_refused() {
        for text in [
            "", "A", "1", "I1", "A0", "A53", "A+1", "A256", "AAA1", "ZZ1", "A 1", "Ä1", "resign",
        ] {
            assert_eq!(Vertex::parse(text), None, "{text:?}");
        }
    }
}
