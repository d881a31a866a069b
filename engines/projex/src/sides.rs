//! The sides of the board, each with the copy of the board beyond it. Across a side the board continues with its opposite
//! side, turned over.

use crate::geometry::{Geometry, Place};

/// A side of the board.
#[derive(Debug)]
pub(crate) struct BoardSide {
    /// The edges of its hexagons, clockwise: the place of the cell, and the direction of the edge.
    pub(crate) edges: Vec<(Place, usize)>,
    pub(crate) beyond: Mirror,
}

/// The map from the board to a copy beyond a side, which mirrors it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mirror {
    /// The place of the copy of `Place::ORIGIN`.
    origin: Place,
    /// The sum of a direction on the board and the same direction of the copy, modulo 6.
    turn: usize,
}

impl Mirror {
    /// Joins two edges, each given by its place and direction: the copy of the second adjoins the first.
    fn joining(edge: (Place, usize), far: (Place, usize)) -> Mirror {
        let turn = (edge.1 + 3 + far.1) % 6;
        let unmoved = Mirror {
            origin: Place::ORIGIN,
            turn,
        };
        let (beyond, far) = (edge.0.step(edge.1), unmoved.of(far.0));
        Mirror {
            origin: Place {
                row: beyond.row - far.row,
                letter: beyond.letter - far.letter,
            },
            turn,
        }
    }

    /// The place of the copy of a place.
    pub(crate) fn of(self, place: Place) -> Place {
        let step = |direction: usize| {
            let to = Place::ORIGIN.step((self.turn + 6 - direction) % 6);
            (to.row, to.letter)
        };
        let ((right_row, right_letter), (down_row, down_letter)) = (step(3), step(4));
        Place {
            row: self.origin.row + place.letter * right_row + place.row * down_row,
            letter: self.origin.letter + place.letter * right_letter + place.row * down_letter,
        }
    }
}

/// The six sides, clockwise; the opposite of a side is three further.
pub(crate) fn sides(board: &Geometry) -> Vec<BoardSide> {
    let exits: Vec<(Place, usize)> = board.exits().collect();
    let n = exits.len();
    let mirror = |i: usize| Mirror::joining(exits[i % n], exits[(i + n / 2) % n]);
    let first = (0..n).find(|&i| mirror(i) != mirror(i + n - 1));
    let first = first.expect("a board has several sides");
    let mut sides: Vec<BoardSide> = Vec::new();
    for i in first..first + n {
        let beyond = mirror(i);
        match sides.last_mut() {
            Some(side) if side.beyond == beyond => side.edges.push(exits[i % n]),
            _ => sides.push(BoardSide {
                edges: vec![exits[i % n]],
                beyond,
            }),
        }
    }
    sides
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Each cell around the board is that of the copy beyond a side, and no two copies overlap.
    #[test]
    fn the_copies_continue_the_board_beyond_its_sides() {
        for size in Geometry::SIZES {
            let board = Geometry::new(size);
            let sides = sides(&board);
            assert_eq!(sides.len(), 6, "size {size}");
            let mut shown: BTreeMap<Place, _> = BTreeMap::new();
            for side in &sides {
                for cell in board.cells() {
                    let place = side.beyond.of(board.place(cell));
                    assert_eq!(board.cell_at(place), None, "size {size}");
                    assert_eq!(shown.insert(place, cell), None, "size {size}");
                }
            }
            for (place, cell) in board.rim() {
                assert_eq!(shown.get(&place), Some(&cell), "size {size}");
            }
            for i in 0..3 {
                let (one, other) = (&sides[i], &sides[i + 3]);
                assert_eq!(one.edges.len(), other.edges.len());
                for place in board.cells().map(|cell| board.place(cell)) {
                    assert_eq!(one.beyond.of(other.beyond.of(place)), place);
                }
            }
        }
    }
}
