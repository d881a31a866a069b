//! Bridges: two cells with the same two common neighbours. Stones on them count as connected while both cells between
//! are empty, because the opponent can take only one of these.

use crate::geometry::{Cell, Geometry};

/// A cell reachable by a bridge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bridge {
    pub(crate) to: Cell,
    /// The two cells between, which are adjacent to each other.
    pub(crate) via: [Cell; 2],
    /// `true` if the path to it crosses the edge once; this is the same over either cell.
    pub(crate) is_crossing: bool,
}

/// The bridges of each cell of a board: one over each two consecutive neighbours in its ring.
pub(crate) fn bridges(board: &Geometry) -> Vec<Vec<Bridge>> {
    let over = |cell, (a, is_crossing): (Cell, bool), b| {
        let [one, other] = touching_both(board, a, b);
        let to = if one == cell { other } else { one };
        let mut steps = board.steps(a);
        let (_, goes_on) = steps.find(|step| step.0 == to).expect("it touches both");
        Bridge {
            to,
            via: [a, b],
            is_crossing: is_crossing ^ goes_on,
        }
    };
    let of_cell = |cell| {
        let ring: Vec<(Cell, bool)> = board.steps(cell).collect();
        let next = ring.iter().cycle().skip(1);
        let pairs = ring.iter().zip(next);
        pairs.map(|(&a, &(b, _))| over(cell, a, b)).collect()
    };
    board.cells().map(of_cell).collect()
}

/// The common neighbours of two adjacent cells: there are exactly two, one on each side.
pub(crate) fn touching_both(board: &Geometry, a: Cell, b: Cell) -> [Cell; 2] {
    let ring = board.neighbours(a);
    let at = ring.iter().position(|&next| next == b);
    let at = at.expect("the two are neighbours");
    [
        ring[(at + 1) % ring.len()],
        ring[(at + ring.len() - 1) % ring.len()],
    ]
}

/// The cells of a ring of length `n` that have a stone of the mask on both sides.
#[inline]
pub(crate) const fn between(stones: u8, n: usize) -> u8 {
    let before = stones << 1 | stones >> (n - 1);
    let after = stones >> 1 | stones << (n - 1);
    before & after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Place;

    #[test]
    fn bridges_lead_back_over_the_same_cells() {
        for board in Geometry::SIZES.map(Geometry::new) {
            let bridges = bridges(&board);
            for cell in board.cells() {
                let around = &bridges[usize::from(cell)];
                assert_eq!(around.len(), board.neighbours(cell).len());
                for bridge in around {
                    let is_back = |back: &&Bridge| {
                        back.to == cell
                            && back.is_crossing == bridge.is_crossing
                            && back.via.iter().all(|via| bridge.via.contains(via))
                    };
                    let backs = &bridges[usize::from(bridge.to)];
                    assert!(bridge.to != cell && backs.iter().any(|back| is_back(&back)));
                }
            }
        }
    }

    #[test]
    fn a_bridge_up_the_board() {
        let board = Geometry::new(6);
        let cell = |row, letter| {
            let found = board.cell_at(Place { row, letter });
            found.expect("on the board")
        };
        let bridge = Bridge {
            to: cell(4, 7),
            via: [cell(5, 6), cell(5, 7)],
            is_crossing: false,
        };
        assert!(bridges(&board)[usize::from(cell(6, 6))].contains(&bridge));
    }
}
