//! Moves as clicks on the points of a GUI's board, and the names of its cells.
//!
//! A GUI without rules sends one point at a time. The gestures of a [`Board`] list the spots to click for each move,
//! and a protocol maps each spot to a point. A move of two clicks is two half moves: after the first, the side to move
//! stays the same, and the legal half moves are those that complete a move.

use std::collections::BTreeSet;

use draw::{Board, Input};

/// A point of a GUI's board, counted from 0 at the lower left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// Column, from the left.
    pub column: u8,
    /// Row, from below.
    pub row: u8,
}

/// A half move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Click {
    /// A point of the board.
    At(Point),
    /// A move without a point, which GUIs send as a pass.
    Pass,
}

/// Legal moves of a position as clicks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HalfMoves {
    /// Clicks and code of each legal move, in canonical order.
    moves: Vec<(Vec<Click>, String)>,
}

impl HalfMoves {
    /// Converts the moves of a diagram. `place` returns the clicks of a gesture.
    ///
    /// # Errors
    /// `place` has no clicks for a gesture.
    pub fn new(
        diagram: &Board,
        place: impl Fn(&Input) -> Option<Vec<Click>>,
    ) -> Result<HalfMoves, String> {
        let moves = diagram.gestures.iter().map(|gesture| {
            let code = gesture.code.clone();
            let clicks = place(&gesture.input).filter(|clicks| !clicks.is_empty());
            match clicks {
                Some(clicks) => Ok((clicks, code)),
                None => Err(no_point(&code)),
            }
        });
        let moves = moves.collect::<Result<_, _>>()?;
        Ok(HalfMoves { moves })
    }

    /// Adds clicks that make the same move as others.
    pub(crate) fn add(&mut self, clicks: Vec<Click>, code: &str) {
        self.moves.push((clicks, code.to_owned()));
    }

    /// Returns the clicks that may follow those made; none if no legal move begins with them, or they complete a move.
    pub fn next(&self, made: &[Click]) -> BTreeSet<Click> {
        let rest = self.moves.iter();
        let rest = rest.filter_map(|(clicks, _)| clicks.strip_prefix(made)?.first());
        rest.copied().collect()
    }

    /// Returns the code of the move that these clicks complete.
    pub fn code(&self, made: &[Click]) -> Option<&str> {
        let found = self.moves.iter().find(|(clicks, _)| clicks == made);
        found.map(|(_, code)| code.as_str())
    }

    /// Returns the clicks of a legal move, given its canonical code.
    pub fn clicks(&self, code: &str) -> Option<&[Click]> {
        let found = self.moves.iter().find(|(_, own)| own == code);
        found.map(|(clicks, _)| clicks.as_slice())
    }
}

/// Returns the error for a move that the GUI's board has no clicks for.
pub(crate) fn no_point(code: &str) -> String {
    format!("{code}: the board has no point for this move")
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
            CellNames::CellsOfRow => {
                let row = from_top(letter)?;
                (number.checked_add(indent(letter))?, row)
            }
            CellNames::FilesAndRows => (letter, from_top(number)?),
        };
        Some(Point { column, row })
    }
}

#[cfg(test)]
mod tests {
    use draw::Gesture;

    use super::*;

    fn at(column: u8, row: u8) -> Click {
        Click::At(Point { column, row })
    }

    fn diagram(gestures: &[(&str, Input)]) -> Board {
        let gesture = |(code, input): &(&str, Input)| Gesture {
            code: (*code).to_owned(),
            input: input.clone(),
        };
        Board {
            width: 1.0,
            height: 1.0,
            gestures: gestures.iter().map(gesture).collect(),
            ..Board::default()
        }
    }

    /// Parses a spot named by column and row.
    fn place(input: &Input) -> Option<Vec<Click>> {
        let point = |spot: &String| {
            let (column, row) = spot.split_once(',')?;
            Some(at(column.parse().ok()?, row.parse().ok()?))
        };
        match input {
            Input::Spots(spots) => spots.iter().map(point).collect(),
            Input::Button(_) => Some(vec![Click::Pass]),
        }
    }

    #[test]
    fn a_move_from_to_is_two_half_moves() {
        let diagram = diagram(&[
            ("b2", Input::spot("1,1")),
            ("a1-a2", Input::spots("0,0", "0,1")),
            ("a1-b1", Input::spots("0,0", "1,0")),
            ("pass", Input::Button("pass".to_owned())),
        ]);
        let moves = HalfMoves::new(&diagram, place).expect("all spots are points");
        assert_eq!(
            moves.next(&[]),
            BTreeSet::from([at(0, 0), at(1, 1), Click::Pass])
        );
        assert_eq!(
            moves.next(&[at(0, 0)]),
            BTreeSet::from([at(0, 1), at(1, 0)])
        );
        assert_eq!(moves.code(&[at(0, 0)]), None);
        assert_eq!(moves.code(&[at(0, 0), at(1, 0)]), Some("a1-b1"));
        assert_eq!(moves.code(&[at(1, 1)]), Some("b2"));
        assert_eq!(moves.next(&[at(1, 1)]), BTreeSet::new());
        assert_eq!(moves.next(&[at(5, 5)]), BTreeSet::new());
        assert_eq!(moves.clicks("pass"), Some(&[Click::Pass][..]));
        assert_eq!(moves.clicks("c3"), None);
    }

    #[test]
    fn a_spot_without_a_point_is_an_error() {
        let diagram = diagram(&[("z", Input::spot("reserve"))]);
        let error = HalfMoves::new(&diagram, place).unwrap_err();
        assert_eq!(error, "z: the board has no point for this move");
    }
}
