//! The hexagonal board of one size: its cells, their adjacency, and Zobrist keys.

use std::array;
use std::ops::Range;

use kit::Side;
use kit::hash::zobrist;

use crate::cells::{CENTRE, Cell, Cells, Window};

/// Number of table entries: one for each value of a [`Cell`], so that no look-up is out of range.
const ENTRIES: usize = 256;
/// Zobrist key of player 2's turn; the stones have the preceding keys.
const TURN_KEY: u64 = zobrist(2 * ENTRIES as u64);

/// The tables of a board.
#[derive(Debug)]
pub(crate) struct Geometry {
    /// Number of cells per side.
    pub(crate) size: u8,
    /// Shape: one per cell.
    places: Vec<PagePlace>,
    near: [Window; ENTRIES],
    /// Shape: one per cell.
    rings: Vec<Ring>,
    /// Zobrist keys; shape: side, cell.
    keys: [[u64; ENTRIES]; 2],
}

/// The position of a cell on the page: neighbours in a row are two columns apart, neighbours in adjacent rows one.
#[derive(Debug, Clone, Copy)]
struct PagePlace {
    row: u8,
    column: u8,
}

impl Geometry {
    /// The board with `size` cells per side.
    pub(crate) fn new(size: u8) -> Geometry {
        let places = places(size);
        let (mut near, mut rings) = ([0; ENTRIES], Vec::new());
        for (cell, here) in (0..).zip(&places) {
            let around = here.around(&places);
            let bits = around.iter().flatten().map(|other| other + CENTRE - cell);
            near[usize::from(cell)] = bits.fold(0, |near, bit| near | 1 << bit);
            rings.push(Ring::new(cell, around));
        }
        let stone_key = |side: usize, cell: usize| zobrist((side * ENTRIES + cell) as u64);
        Geometry {
            size,
            rings,
            places,
            near,
            keys: array::from_fn(|side| array::from_fn(|cell| stone_key(side, cell))),
        }
    }

    /// All cells.
    pub(crate) fn cells(&self) -> Range<Cell> {
        0..self.places.len() as Cell
    }

    /// The rows, from 0 at the top.
    pub(crate) fn rows(&self) -> Range<u8> {
        0..n_rows(self.size)
    }

    /// The cells of a row, from the left.
    pub(crate) fn row(&self, row: u8) -> Range<Cell> {
        let first = (0..row).map(|above| row_len(self.size, above)).sum();
        first..first + row_len(self.size, row)
    }

    /// Row of a cell, and its number within the row from 1.
    pub(crate) fn coordinates(&self, cell: Cell) -> (u8, u8) {
        let row = self.places[usize::from(cell)].row;
        (row, cell - self.row(row).start + 1)
    }

    /// The neighbours of a cell, at most six, in the window around it.
    pub(crate) fn near(&self, cell: Cell) -> Window {
        self.near[usize::from(cell)]
    }

    /// Locations of a cell's neighbours in the window around it.
    pub(crate) fn ring(&self, cell: Cell) -> &Ring {
        &self.rings[usize::from(cell)]
    }

    /// Distance between two cells in steps.
    pub(crate) fn steps(&self, from: Cell, to: Cell) -> u8 {
        self.places[usize::from(from)].steps(&self.places[usize::from(to)])
    }

    /// The Zobrist key of a stone.
    pub(crate) fn key(&self, side: Side, cell: Cell) -> u64 {
        self.keys[side.index()][usize::from(cell)]
    }

    /// The Zobrist key of the side to move.
    pub(crate) fn turn_key(&self, side: Side) -> u64 {
        match side {
            Side::P1 => 0,
            Side::P2 => TURN_KEY,
        }
    }
}

/// Number of rows of a board.
pub(crate) const fn n_rows(size: u8) -> u8 {
    2 * size - 1
}

/// The name of a row, from 0 at the top.
pub(crate) fn row_letter(row: u8) -> char {
    (b'a' + row).into()
}

/// Number of cells in a row.
pub(crate) const fn row_len(size: u8, row: u8) -> u8 {
    n_rows(size) - indent(size, row)
}

/// Indentation of a row relative to the middle row, in columns, when drawn with a blank between cells.
pub(crate) const fn indent(size: u8, row: u8) -> u8 {
    row.abs_diff(size - 1)
}

fn places(size: u8) -> Vec<PagePlace> {
    let row_places = |row| {
        (0..row_len(size, row)).map(move |k| PagePlace {
            row,
            column: indent(size, row) + 2 * k,
        })
    };
    (0..n_rows(size)).flat_map(row_places).collect()
}

impl PagePlace {
    /// The neighbours clockwise from the right; `None` beyond the edge.
    fn around(&self, places: &[PagePlace]) -> [Option<Cell>; 6] {
        const WAYS: [(i16, i16); 6] = [(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)];
        let lies = |place: &PagePlace, (down, right): (i16, i16)| {
            let (rows, columns) = (i16::from(place.row), i16::from(place.column));
            (rows - i16::from(self.row), columns - i16::from(self.column)) == (down, right)
        };
        WAYS.map(|way| {
            let at = places.iter().position(|place| lies(place, way));
            at.map(|cell| cell as Cell)
        })
    }

    fn steps(&self, other: &PagePlace) -> u8 {
        let rows = self.row.abs_diff(other.row);
        let columns = self.column.abs_diff(other.column);
        // Each step across rows also moves one column.
        rows + columns.saturating_sub(rows) / 2
    }
}

/// A bit for each neighbour of a cell in a pattern: left, right, the two above, the two below.
pub(crate) type Six = u16;

/// The bits of the neighbours in clockwise order.
pub(crate) const CLOCKWISE: [u16; 6] = [1, 5, 4, 0, 2, 3];

/// The locations of a cell's neighbours in the window around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ring {
    /// The bit of the first of the two neighbours above, and below.
    above: u8,
    below: u8,
    /// The neighbours beyond the edge.
    off: Six,
    /// The cell and its neighbours.
    pub(crate) touched: Cells,
}

impl Ring {
    /// Creates the ring of a cell from its neighbours, clockwise from the right.
    pub(crate) fn new(cell: Cell, around: [Option<Cell>; 6]) -> Ring {
        let [_, below_right, below_left, _, above_left, above_right] = around;
        let bit = |left: Option<Cell>, right: Option<Cell>| {
            let first = left.or(right.map(|right| right.wrapping_sub(1)));
            first.map_or(0, |first| first.wrapping_add(CENTRE).wrapping_sub(cell))
        };
        let is_off = |i: &usize| around[*i].is_none();
        Ring {
            above: bit(above_left, above_right),
            below: bit(below_left, below_right),
            off: (0..6)
                .filter(is_off)
                .fold(0, |off, i| off | 1 << CLOCKWISE[i]),
            touched: around.into_iter().flatten().chain([cell]).collect(),
        }
    }

    /// The neighbours among these cells; those beyond the edge count as members.
    pub(crate) fn six(&self, near: Window) -> Six {
        let sides = near >> (CENTRE - 1) & 1 | near >> CENTRE & 2;
        let rows = (near >> self.above & 3) << 2 | (near >> self.below & 3) << 4;
        (sides | rows) as Six | self.off
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_three_s_squared_less_three_s_plus_one_cells() {
        let cells: Vec<usize> = (3..=8)
            .map(|size| Geometry::new(size).cells().len())
            .collect();
        assert_eq!(cells, [19, 37, 61, 91, 127, 169]);
    }

    #[test]
    fn corners_touch_three_cells_edges_four_and_all_others_six() {
        for size in 3..=8 {
            let board = Geometry::new(size);
            let touching = |n| {
                let cells = board.cells();
                cells
                    .filter(|&cell| board.near(cell).count_ones() == n)
                    .count()
            };
            let inner = board.cells().len() - 6 * usize::from(size - 1);
            let expected = [6, 6 * usize::from(size - 2), inner];
            assert_eq!([3, 4, 6].map(touching), expected, "size {size}");
        }
    }

    #[test]
    fn two_steps_never_lead_out_of_a_window() {
        for size in 3..=8 {
            let board = Geometry::new(size);
            for (from, to) in board
                .cells()
                .flat_map(|from| board.cells().map(move |to| (from, to)))
            {
                assert!(
                    board.steps(from, to) > 2 || from.abs_diff(to) < CENTRE,
                    "{from}, {to}"
                );
            }
        }
    }

    #[test]
    fn steps_are_counted_along_rows_and_across() {
        let board = Geometry::new(5);
        let cell = |row: u8, k: u8| board.row(row).start + k - 1;
        assert_eq!(board.steps(cell(4, 1), cell(4, 9)), 8, "e1 to e9");
        assert_eq!(board.steps(cell(0, 1), cell(8, 5)), 8, "a1 to i5");
        assert_eq!(board.steps(cell(0, 5), cell(8, 1)), 8, "a5 to i1");
        assert_eq!(board.steps(cell(2, 3), cell(2, 5)), 2, "c3 to c5");
        assert_eq!(board.steps(cell(3, 1), cell(4, 2)), 1, "d1 to e2");
        assert_eq!(board.steps(cell(3, 1), cell(4, 3)), 2, "d1 to e3");
        assert_eq!(board.steps(cell(6, 7), cell(6, 7)), 0);
    }
}
