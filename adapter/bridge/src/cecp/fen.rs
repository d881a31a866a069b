//! Position strings in XBoard's dialect: `*` is a hole in the board, runs may have two digits, and brackets enclose the
//! holdings.

use std::fmt;

use kit::Side;

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
        let ranks = self.ranks.iter();
        let ranks = ranks.map(|rank| with_runs(rank.iter().copied()));
        f.write_str(&ranks.collect::<Vec<_>>().join("/"))?;
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
    let mut row = String::new();
    let mut n_empty = 0;
    for cell in cells.into_iter().map(Some).chain([None]) {
        match cell {
            Some(EMPTY) => n_empty += 1,
            _ if n_empty > 0 => row += &std::mem::take(&mut n_empty).to_string(),
            _ => {}
        }
        row.extend(cell.filter(|cell| *cell != EMPTY));
    }
    row
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
}
