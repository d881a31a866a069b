//! Functions shared by the games for reading drawn boards from pasted text and mail.

mod clean;

use crate::fen::counted;
use crate::notation::excerpt;
pub use clean::{clean, clean_text};

/// The role of a line in a drawn board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureLine {
    /// A row of the board that is not the last.
    Row,
    /// The last row of the board.
    LastRow,
    /// A line below the board that names the side to move.
    Turn,
    /// A line below the board with other parts of the position, such as the pieces off the board.
    Foot,
    /// A border, labels or a key.
    Frame,
    /// Not part of a drawn board.
    Other,
}

impl FigureLine {
    /// The classification of a row with `n_above` rows above it, in a board of `n_rows`.
    pub fn row(n_above: usize, n_rows: usize) -> FigureLine {
        if n_above + 1 == n_rows {
            FigureLine::LastRow
        } else {
            FigureLine::Row
        }
    }

    /// `true` for a row, last or not.
    pub fn is_row(self) -> bool {
        matches!(self, FigureLine::Row | FigureLine::LastRow)
    }
}

/// `true` if a text is a drawn board; a position string has only one line.
pub fn is_diagram(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

/// The position string in the last line of the answer to `d`, if a drawn board contains that line.
pub fn pasted_fen(text: &str) -> Option<String> {
    let mut lines = text.lines().filter(|_| is_diagram(text));
    lines.find_map(|line| clean(line).trim().strip_prefix("fen: ").map(str::to_owned))
}

/// The nonblank lines, [cleaned](clean), without the brackets around the last move and without blanks at both ends.
pub fn lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(['\n', '\r'])
        .map(|line| bare(&clean(line)))
        .filter(|line| !line.is_empty())
}

/// Removes the brackets around the last move and the blanks at both ends from a cleaned line.
pub fn bare(line: &str) -> String {
    let line = line.replace(['[', ']', '(', ')'], " ");
    line.trim().to_owned()
}

/// Reads the cells of a row: for each cell the index in `pieces` of its letter, or `None` for a dot. `pieces` are
/// lower-case letters, read in either case. The text `end` may follow.
///
/// # Errors
/// The reason, to be appended to the name of the row.
pub fn parse_cells(
    text: &str,
    pieces: [char; 2],
    n_cells: usize,
    end: &str,
) -> Result<Vec<Option<usize>>, String> {
    let place = |sign: char| match sign.to_ascii_lowercase() {
        '.' => Some(None),
        sign => pieces.iter().position(|&piece| piece == sign).map(Some),
    };
    let signs: Vec<char> = text.chars().filter(|sign| !sign.is_whitespace()).collect();
    let cells: Vec<Option<usize>> = signs
        .iter()
        .map_while(|&sign| place(sign))
        .take(n_cells)
        .collect();
    let tail: String = signs[cells.len()..].iter().collect();
    let is_end = tail.is_empty() || tail == end;
    match tail.chars().next() {
        _ if is_end && cells.len() == n_cells => Ok(cells),
        Some(sign) if !is_end && cells.len() < n_cells => {
            let ([one, other], number) = (pieces, cells.len() + 1);
            Err(format!(
                "has {sign:?} on its cell {number}: expected {one}, {other} or a dot"
            ))
        }
        _ if is_end => Err(format!(
            "has {}: expected {n_cells}",
            counted(cells.len(), "cell")
        )),
        _ => Err(format!(
            "has {:?} after its {n_cells} cells",
            excerpt(&tail)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_peeled_off_its_figure() {
        let mail = "> 14.  a . [x] 6\r\n>\n> > b (.) o\n\n1 . x\n";
        let read: Vec<String> = lines(mail).collect();
        assert_eq!(read, ["a .  x  6", "b  .  o", "1 . x"]);
    }

    #[test]
    fn cells_are_read_to_their_number() {
        let read = |text| parse_cells(text, ['x', 'o'], 3, "X");
        assert_eq!(read(" . x O"), Ok(vec![None, Some(0), Some(1)]));
        assert_eq!(read("..XX"), Ok(vec![None, None, Some(0)]));
        let refused = |text| read(text).expect_err("a bad row");
        assert_eq!(refused(". x"), "has 2 cells: expected 3");
        assert_eq!(
            refused(". z ."),
            "has 'z' on its cell 2: expected x, o or a dot"
        );
        assert_eq!(refused(". . . . 7"), "has \".7\" after its 3 cells");
    }

    #[test]
    fn a_figure_has_several_lines_and_may_end_with_its_string() {
        assert!(is_diagram("a\nb") && !is_diagram("3/4/5/4/3 x 0"));
        let fen = pasted_fen("> . x\n> fen: 3/4 x 0\n");
        assert_eq!(fen.as_deref(), Some("3/4 x 0"));
        assert_eq!(pasted_fen(". x\n. o"), None);
        assert_eq!(pasted_fen("fen: 3/4 x 0"), None);
    }
}
