//! The sides of the board, each with the copy of the board beyond it, for drawings.

use crate::geometry::{Geometry, Mirror, Place};

/// A side of the board.
#[derive(Debug)]
pub(crate) struct BoardSide {
    /// The edges of its hexagons, clockwise: the place of the cell, and the direction of the edge.
    pub(crate) edges: Vec<(Place, usize)>,
    pub(crate) beyond: Mirror,
}

/// The six sides, clockwise from the top; the opposite of a side is three further.
pub(crate) fn sides(board: &Geometry) -> Vec<BoardSide> {
    let beyond = |edge: &(Place, usize)| board.beyond(edge.0.step(edge.1)).0;
    let border = walk_border(board);
    let sides = border.chunk_by(|a, b| beyond(a) == beyond(b));
    let side = |edges: &[(Place, usize)]| BoardSide {
        edges: edges.to_vec(),
        beyond: beyond(&edges[0]),
    };
    sides.map(side).collect()
}

/// The edges of the border, clockwise from the first at the top. If the next edge of a cell is not one, the border
/// continues with an edge of the neighbour there, a third of a turn back from the direction of entry.
fn walk_border(board: &Geometry) -> Vec<(Place, usize)> {
    let first = (board.place(0), 1);
    let (mut place, mut direction) = first;
    let mut edges = vec![first];
    loop {
        direction = (direction + 1) % 6;
        let next = place.step(direction);
        if board.cell_at(next).is_some() {
            place = next;
            direction = (direction + 4) % 6;
        }
        if (place, direction) == first {
            return edges;
        }
        edges.push((place, direction));
    }
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
