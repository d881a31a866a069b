//! The places of cells on the page: in the server's layout, or moved so that another cell is in the middle.
//!
//! The board has no edge, so any cell can be in the middle. The other cells are placed step by step, those closest to
//! the middle first, each at one place. Beyond an edge the board appears mirrored. If two paths to a cell lead to two
//! places, the second place shows the cell as a ghost.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::geometry::{Cell, Geometry, Place};

/// A place for each cell, and ghosts of cells at other places next to them.
pub(super) struct PageLayout {
    /// In canonical order.
    pub(super) places: Vec<Place>,
    pub(super) ghosts: BTreeMap<Place, Cell>,
}

impl PageLayout {
    /// The server's layout, with the far side around it.
    pub(super) fn standard(board: &Geometry) -> PageLayout {
        PageLayout {
            places: board.cells().map(|cell| board.place(cell)).collect(),
            ghosts: board.rim().collect(),
        }
    }

    /// The layout with this cell in the middle.
    pub(super) fn rolled(board: &Geometry, centre: Cell) -> PageLayout {
        let mut laid: BTreeMap<Place, PlacedCell> = BTreeMap::new();
        let mut places: Vec<Option<Place>> = vec![None; board.n_cells()];
        let start = PlacedCell {
            cell: centre,
            back: 0,
            back_index: 0,
            is_mirrored: false,
        };
        let origin = Place { row: 0, letter: 0 };
        let mut waiting = BinaryHeap::from([Reverse((0, origin, start))]);
        let mut ghosts = Vec::new();
        while let Some(Reverse((_, place, placed))) = waiting.pop() {
            let slot = &mut places[usize::from(placed.cell)];
            if slot.is_some() || laid.contains_key(&place) {
                ghosts.push((place, placed.cell));
                continue;
            }
            *slot = Some(place);
            laid.insert(place, placed);
            let next = placed.neighbours(board);
            waiting.extend(next.map(|(direction, next)| {
                let place = place.step(direction);
                Reverse((distance(place), place, next))
            }));
        }
        // Next to a corner, a sector of the page remains empty. A cell there would be adjacent to itself.
        let is_beside_itself = |(place, cell): &(Place, Cell)| {
            let mut around = place.around();
            around.any(|beside| places[usize::from(*cell)] == Some(beside))
        };
        ghosts.retain(|ghost| !laid.contains_key(&ghost.0) && !is_beside_itself(ghost));
        // The first cell at a place was reached from a place closer to the middle.
        ghosts.reverse();
        PageLayout {
            places: places
                .into_iter()
                .map(|place| place.expect("the board is connected"))
                .collect(),
            ghosts: ghosts.into_iter().collect(),
        }
    }

    /// The place of a cell.
    pub(super) fn place(&self, cell: Cell) -> Place {
        self.places[usize::from(cell)]
    }
}

/// A cell on the page, with its orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PlacedCell {
    cell: Cell,
    /// A direction on the page.
    back: usize,
    /// The index of the neighbour in that direction.
    back_index: usize,
    /// `true` if the neighbours, which are listed clockwise, are counterclockwise on the page.
    is_mirrored: bool,
}

impl PlacedCell {
    /// The neighbours by their directions on the page. A corner has five: none straight ahead, in the direction from
    /// which it was reached.
    fn neighbours(self, board: &Geometry) -> impl Iterator<Item = (usize, PlacedCell)> + '_ {
        let steps: Vec<(Cell, bool)> = board.steps(self.cell).collect();
        let n = steps.len();
        let turns = (0..6).filter(move |&turn| n == 6 || turn != 3);
        turns.enumerate().map(move |(i, turn)| {
            let direction = (self.back + turn) % 6;
            let index = match self.is_mirrored {
                false => (self.back_index + i) % n,
                true => (self.back_index + n - i) % n,
            };
            let (cell, is_crossing) = steps[index];
            let back_index = board
                .neighbours(cell)
                .iter()
                .position(|&next| next == self.cell);
            let next = PlacedCell {
                cell,
                back: (direction + 3) % 6,
                back_index: back_index.expect("neighbours are mutual"),
                is_mirrored: self.is_mirrored ^ is_crossing,
            };
            (direction, next)
        })
    }
}

/// The square of the distance from the middle.
fn distance(Place { row, letter }: Place) -> i32 {
    row * row + row * letter + letter * letter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_one_place_however_the_board_is_rolled() {
        for size in [3, 4, 7, 8] {
            let board = Geometry::new(size);
            for centre in board.cells() {
                let layout = PageLayout::rolled(&board, centre);
                let mut places = layout.places.clone();
                places.sort_unstable();
                places.dedup();
                assert_eq!(places.len(), board.n_cells(), "size {size} around {centre}");
                assert!(
                    places
                        .iter()
                        .all(|place| !layout.ghosts.contains_key(place))
                );
            }
        }
    }

    #[test]
    fn what_touches_on_the_page_touches_on_the_board() {
        for size in [3, 6, 7] {
            let board = Geometry::new(size);
            let rolled = board
                .cells()
                .map(|centre| PageLayout::rolled(&board, centre));
            for layout in rolled.chain([PageLayout::standard(&board)]) {
                check_touching(&board, &layout);
            }
        }
    }

    fn check_touching(board: &Geometry, layout: &PageLayout) {
        let mut shown = layout.ghosts.clone();
        shown.extend(board.cells().map(|cell| (layout.place(cell), cell)));
        for cell in board.cells() {
            let around = layout.place(cell).around();
            for other in around.filter_map(|place| shown.get(&place)) {
                let touches = board.neighbours(cell).contains(other);
                assert!(touches, "{other} beside {cell} on size {}", board.size());
            }
        }
    }
}
