//! Moves as clicks on the points of a GUI's board.
//!
//! A GUI that knows no rules sends one point at a time. The gestures of a [`Diagram`] say which spots are clicked for each
//! move; a protocol says at which point each spot lies. A move of two clicks is then two half moves: after the first,
//! the same side is to move, and the legal half moves are those that complete a move.

use std::collections::BTreeSet;
use std::fmt;

use kit::Diagram;
use kit::diagram::Input;

/// A point of a GUI's board, counted from 0 and from the lower left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// From the left.
    pub column: u8,
    /// From below.
    pub row: u8,
}

/// A half move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Click {
    /// A point of the board.
    At(Point),
    /// What a GUI has for a move without a point: a pass.
    Pass,
}

/// A gesture that a GUI's board has no clicks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoClicks {
    /// The code of the move.
    pub code: String,
}

impl fmt::Display for NoClicks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: the board has no point for it", self.code)
    }
}

impl std::error::Error for NoClicks {}

/// The legal moves of a position as clicks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HalfMoves {
    /// Shape: one a legal move, in canonical order.
    moves: Vec<(Vec<Click>, String)>,
}

impl HalfMoves {
    /// The moves of a diagram; `place` says what is clicked for a gesture.
    ///
    /// # Errors
    /// There is a gesture that `place` has no clicks for.
    pub fn new(
        diagram: &Diagram,
        place: impl Fn(&Input) -> Option<Vec<Click>>,
    ) -> Result<HalfMoves, NoClicks> {
        let moves = diagram.gestures.iter().map(|gesture| {
            let no_clicks = || NoClicks {
                code: gesture.code.clone(),
            };
            let clicks = place(&gesture.input).filter(|clicks| !clicks.is_empty());
            Ok((clicks.ok_or_else(no_clicks)?, gesture.code.clone()))
        });
        let moves = moves.collect::<Result<_, _>>()?;
        Ok(HalfMoves { moves })
    }

    /// The clicks that may follow those made; none if these make no legal move, or a whole one.
    pub fn next(&self, made: &[Click]) -> BTreeSet<Click> {
        let rest = self.moves.iter();
        let rest = rest.filter_map(|(clicks, _)| clicks.strip_prefix(made)?.first());
        rest.copied().collect()
    }

    /// The code of the move that these clicks make, if they make a whole one.
    pub fn code(&self, made: &[Click]) -> Option<&str> {
        let found = self.moves.iter().find(|(clicks, _)| clicks == made);
        found.map(|(_, code)| code.as_str())
    }

    /// The clicks of a legal move, by its canonical code.
    pub fn clicks(&self, code: &str) -> Option<&[Click]> {
        let found = self.moves.iter().find(|(_, own)| own == code);
        found.map(|(clicks, _)| clicks.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::Side;
    use kit::diagram::Gesture;

    fn at(column: u8, row: u8) -> Click {
        Click::At(Point { column, row })
    }

    fn diagram(gestures: &[(&str, Input)]) -> Diagram {
        let gesture = |(code, input): &(&str, Input)| Gesture {
            code: (*code).to_owned(),
            input: input.clone(),
        };
        Diagram {
            width: 1.0,
            height: 1.0,
            shapes: Vec::new(),
            owners: Side::BOTH,
            names: ["x".to_owned(), "o".to_owned()],
            focus: None,
            caption: String::new(),
            spots: Vec::new(),
            gestures: gestures.iter().map(gesture).collect(),
        }
    }

    /// Spots are named by their column and row.
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
        assert_eq!(error.to_string(), "z: the board has no point for it");
    }
}
