//! Points of a GUI's board, and the names of a game's cells.

/// A point of a GUI's board, counted from 0 at the lower left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// Column, from the left.
    pub column: u8,
    /// Row, from below.
    pub row: u8,
}

/// Mapping from the name of a cell, a letter and a number, to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellNames {
    /// The letter is the file, the number the rank from the bottom.
    Squares,
    /// The letter is the row from the top, the number the cell of the row from the left.
    CellsOfRow,
    /// The letter is the file of the sheared board, the number the row from the top.
    FilesAndRows,
}

impl CellNames {
    /// The names of the cells of a game. Games that are not compiled have names of squares, such as `c3`.
    pub(crate) fn of(game: &str) -> CellNames {
        match game {
            "susan" => CellNames::CellsOfRow,
            "projex" => CellNames::FilesAndRows,
            _ => CellNames::Squares,
        }
    }

    /// Returns the point of a cell, which may be beyond the board. `indent` is the number of points to the left of a
    /// row, counted from the top.
    pub(crate) fn point(self, cell: &str, n_rows: u8, indent: impl Fn(u8) -> u8) -> Option<Point> {
        let letter = *cell.as_bytes().first()?;
        let letter = letter.to_ascii_lowercase().checked_sub(b'a')?;
        let number: u8 = cell.get(1..)?.parse().ok()?;
        let number = number.checked_sub(1)?;
        let from_top = |row: u8| n_rows.checked_sub(row.checked_add(1)?);
        let (column, row) = match self {
            CellNames::Squares => (letter, number),
            CellNames::CellsOfRow => (number.checked_add(indent(letter))?, from_top(letter)?),
            CellNames::FilesAndRows => (letter, from_top(number)?),
        };
        Some(Point { column, row })
    }
}
