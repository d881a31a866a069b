//! The board: its cells, their places and their neighbours, including those across the edge.
//!
//! A board of size n has 2n-2 rows; cells are numbered from 0 in canonical order, rows from the top, left to right.
//! Play needs only [`Geometry::neighbours`]; places and the rim are for text and drawings. This module handles cells
//! only, not stones.

use std::ops::{Range, RangeInclusive};

/// A cell by its number in canonical order.
pub type Cell = u16;

/// The place of a cell, on the board or beyond the edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Counted from 1 at the top.
    pub row: i32,
    /// The diagonal from the upper left to the lower right: 1 for `A`.
    pub letter: i32,
}

impl Place {
    /// The place from which rows and letters are counted.
    pub(crate) const ORIGIN: Place = Place { row: 0, letter: 0 };

    /// The six adjacent places, clockwise from the left.
    pub(crate) fn around(self) -> impl Iterator<Item = Place> {
        (0..6).map(move |direction| self.step(direction))
    }

    /// The place one step away, in one of six directions clockwise from the left.
    pub(crate) fn step(self, direction: usize) -> Place {
        let (row, letter) = STEPS[direction];
        Place {
            row: self.row + row,
            letter: self.letter + letter,
        }
    }
}

/// Row and letter of the steps, clockwise from the left.
const STEPS: [(i32, i32); 6] = [(0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1)];

/// The neighbours of one cell, packed for speed.
#[derive(Debug, Clone, Copy, Default)]
struct PackedNeighbours {
    cells: [Cell; 6],
    degree: u8,
    crossings: u8,
}

impl PackedNeighbours {
    fn push(&mut self, cell: Cell, is_crossing: bool) {
        let degree = usize::from(self.degree);
        self.cells[degree] = cell;
        self.crossings |= u8::from(is_crossing) << degree;
        self.degree += 1;
    }

    fn cells(&self) -> &[Cell] {
        &self.cells[..usize::from(self.degree)]
    }
}

/// An outer side of a border cell, which leads to the far side of the board.
#[derive(Debug, Clone, Copy)]
struct Exit {
    cell: Cell,
    direction: usize,
}

/// The geometry of one size.
#[derive(Debug)]
pub struct Geometry {
    size: i32,
    places: Vec<Place>,
    around: Vec<PackedNeighbours>,
    /// The border's exits, clockwise.
    exits: Vec<Exit>,
}

impl Geometry {
    /// The valid sizes.
    pub const SIZES: RangeInclusive<i32> = 3..=14;

    /// Creates the board with `size` cells along its longer sides.
    ///
    /// # Panics
    /// If the size is not one of [`SIZES`](Geometry::SIZES).
    pub fn new(size: i32) -> Geometry {
        assert!(Geometry::SIZES.contains(&size), "a size of 3 to 14");
        let mut board = Geometry {
            size,
            places: Vec::new(),
            around: Vec::new(),
            exits: Vec::new(),
        };
        for row in 1..=board.n_rows() {
            let (first, last) = board.letters(row);
            let places = (first..=last).map(|letter| Place { row, letter });
            board.places.extend(places);
        }
        board.exits = board.walk_border();
        board.around = board.cells().map(|cell| board.find_around(cell)).collect();
        board
    }

    /// Number of cells along a longer side.
    pub fn size(&self) -> i32 {
        self.size
    }

    /// Number of rows, which is also the number of letters.
    pub fn n_rows(&self) -> i32 {
        2 * self.size - 2
    }

    /// Number of cells.
    pub fn n_cells(&self) -> usize {
        self.places.len()
    }

    /// All cells in canonical order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        0..self.places.len() as Cell
    }

    /// The first and the last letter of a row.
    pub fn letters(&self, row: i32) -> (i32, i32) {
        Geometry::letters_of(self.size, row)
    }

    pub(crate) fn letters_of(n: i32, row: i32) -> (i32, i32) {
        ((n + 1 - row).max(1), (3 * n - 2 - row).min(2 * n - 2))
    }

    /// The last row that a letter's diagonal reaches.
    pub fn last_row(&self, letter: i32) -> i32 {
        Geometry::last_row_of(self.size, letter)
    }

    pub(crate) fn last_row_of(n: i32, letter: i32) -> i32 {
        (3 * n - 2 - letter).min(2 * n - 2)
    }

    /// The numbers of a row's cells.
    pub fn row(&self, row: i32) -> Range<usize> {
        let start = self.places.partition_point(|place| place.row < row);
        let end = self.places.partition_point(|place| place.row <= row);
        start..end
    }

    /// The place of a cell.
    pub fn place(&self, cell: Cell) -> Place {
        self.places[usize::from(cell)]
    }

    /// The cell at a place; `None` beyond the edge.
    pub fn cell_at(&self, place: Place) -> Option<Cell> {
        let key = |place: &Place| (place.row, place.letter);
        let found = self.places.binary_search_by_key(&key(&place), key);
        found.ok().map(|cell| cell as Cell)
    }

    /// The neighbours of a cell, clockwise, so that consecutive ones are adjacent, and so are the last and the first.
    /// There are six, or five for a corner.
    #[inline]
    pub fn neighbours(&self, cell: Cell) -> &[Cell] {
        self.around[usize::from(cell)].cells()
    }

    /// The neighbours in an array, and their number; the sixth item has no meaning for a corner.
    #[inline]
    pub(crate) fn ring(&self, cell: Cell) -> (&[Cell; 6], usize) {
        let around = &self.around[usize::from(cell)];
        (&around.cells, around.degree.into())
    }

    /// The steps to [`neighbours`](Geometry::neighbours) that cross the edge: bit i for the i-th.
    #[inline]
    pub fn crossings(&self, cell: Cell) -> u8 {
        self.around[usize::from(cell)].crossings
    }

    /// The steps to the neighbours; the flag is `true` if a step crosses the edge.
    pub fn steps(&self, cell: Cell) -> impl Iterator<Item = (Cell, bool)> + '_ {
        let crossings = self.crossings(cell);
        let step = move |(i, &next): (usize, &Cell)| (next, crossings >> i & 1 != 0);
        self.neighbours(cell).iter().enumerate().map(step)
    }

    /// The places around the board, each with the cell of the far side that it shows, clockwise. A place adjacent to
    /// two cells occurs twice.
    pub fn rim(&self) -> impl Iterator<Item = (Place, Cell)> + '_ {
        let seen = |i: usize| {
            let Exit { cell, direction } = self.exits[i];
            (self.place(cell).step(direction), self.opposite(i))
        };
        (0..self.exits.len()).map(seen)
    }

    /// The edges of the border's hexagons, clockwise: the place of the cell, and the direction of the edge.
    pub(crate) fn exits(&self) -> impl Iterator<Item = (Place, usize)> + '_ {
        let exits = self.exits.iter();
        exits.map(|exit| (self.place(exit.cell), exit.direction))
    }

    /// The cell reached through the exit of this index.
    fn opposite(&self, exit: usize) -> Cell {
        let n = self.exits.len();
        self.exits[(exit + n / 2) % n].cell
    }

    /// The cell one step away without crossing the edge.
    fn next(&self, cell: Cell, direction: usize) -> Option<Cell> {
        self.cell_at(self.place(cell).step(direction))
    }

    /// The exits, clockwise from the left side of the first cell. If the next side of a cell is not an exit, the
    /// outline continues with an exit of the neighbour there, a third of a turn back from the direction of entry.
    fn walk_border(&self) -> Vec<Exit> {
        let (mut cell, mut direction) = (0, 0);
        let mut exits = vec![Exit { cell, direction }];
        loop {
            direction = (direction + 1) % 6;
            if let Some(next) = self.next(cell, direction) {
                cell = next;
                direction = (direction + 4) % 6;
            }
            if (cell, direction) == (0, 0) {
                return exits;
            }
            exits.push(Exit { cell, direction });
        }
    }

    fn find_around(&self, cell: Cell) -> PackedNeighbours {
        let mut around = PackedNeighbours::default();
        for direction in 0..6 {
            match self.next(cell, direction) {
                Some(next) => around.push(next, false),
                None => {
                    let far = self.far_side(cell, direction);
                    // A corner meets the opposite corner through two exits, which is one neighbour.
                    if !around.cells().contains(&far) {
                        around.push(far, true);
                    }
                }
            }
        }
        around
    }

    fn far_side(&self, cell: Cell, direction: usize) -> Cell {
        let is_it = |exit: &Exit| (exit.cell, exit.direction) == (cell, direction);
        let exit = self.exits.iter().position(is_it);
        self.opposite(exit.expect("a side without a neighbour is an exit"))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use super::*;

    fn all() -> impl Iterator<Item = Geometry> {
        Geometry::SIZES.map(Geometry::new)
    }

    #[test]
    fn rows_grow_to_the_nth_and_shrink_again() {
        let lengths = |board: &Geometry| -> Vec<i32> {
            let letters = |row| board.letters(row).1 - board.letters(row).0 + 1;
            (1..=board.n_rows()).map(letters).collect()
        };
        assert_eq!(lengths(&Geometry::new(6)), [5, 6, 7, 8, 9, 10, 9, 8, 7, 6]);
        assert_eq!(lengths(&Geometry::new(3)), [2, 3, 4, 3]);
        for board in all() {
            let rows = (1..=board.n_rows()).map(|row| board.row(row).len() as i32);
            assert_eq!(rows.collect::<Vec<_>>(), lengths(&board));
        }
        assert_eq!(Geometry::new(7).n_cells(), 108);
        assert_eq!(Geometry::new(14).n_cells(), 507);
    }

    #[test]
    fn places_and_cells_name_each_other() {
        for board in all() {
            for cell in board.cells() {
                assert_eq!(board.cell_at(board.place(cell)), Some(cell));
            }
            for (place, _) in board.rim() {
                assert_eq!(board.cell_at(place), None);
            }
        }
    }

    /// V - E + F = 1 with the triangles of neighbours that surround each cell: a projective plane.
    #[test]
    fn the_board_is_a_triangulated_projective_plane() {
        for board in all() {
            let mut edges = BTreeSet::new();
            let mut faces = BTreeSet::new();
            for cell in board.cells() {
                let ring = board.neighbours(cell);
                for (i, &next) in ring.iter().enumerate() {
                    let mut edge = [cell, next];
                    edge.sort_unstable();
                    edges.insert(edge);
                    let mut face = [cell, next, ring[(i + 1) % ring.len()]];
                    face.sort_unstable();
                    faces.insert(face);
                }
            }
            assert_eq!(
                board.n_cells() + faces.len(),
                edges.len() + 1,
                "size {}",
                board.size()
            );
            // Each edge is between two triangles, so none is missing.
            assert_eq!(3 * faces.len(), 2 * edges.len());
        }
    }

    #[test]
    fn two_cells_touch_in_one_way_only_and_both_agree_on_it() {
        for board in all() {
            for cell in board.cells() {
                let around: Vec<_> = board.steps(cell).collect();
                let distinct: HashMap<Cell, bool> = around.iter().copied().collect();
                assert_eq!(distinct.len(), around.len());
                assert!(!distinct.contains_key(&cell));
                for (next, is_crossing) in around {
                    assert!(board.steps(next).any(|step| step == (cell, is_crossing)));
                }
            }
        }
    }

    /// Three stones around a point therefore never count as a loop, and stones next to each other in a cell's ring are
    /// on the same sheet.
    #[test]
    fn no_triangle_is_a_global_loop() {
        for board in all() {
            for cell in board.cells() {
                let around: Vec<_> = board.steps(cell).collect();
                for (i, &(next, first)) in around.iter().enumerate() {
                    let (last, second) = around[(i + 1) % around.len()];
                    let third = board.steps(next).find(|step| step.0 == last);
                    let (_, third) = third.expect("neighbours in a row touch");
                    assert!(
                        !(first ^ second ^ third),
                        "size {}, cell {cell}",
                        board.size()
                    );
                }
            }
        }
    }

    #[test]
    fn border_cells_have_two_far_neighbours_each() {
        for board in all() {
            let border: BTreeSet<Cell> = board.exits.iter().map(|exit| exit.cell).collect();
            assert_eq!(border.len() as i32, 6 * board.size() - 9);
            assert_eq!(board.exits.len() as i32, 12 * board.size() - 12);
            for cell in board.cells() {
                let expected = if border.contains(&cell) { 2 } else { 0 };
                assert_eq!(board.crossings(cell).count_ones(), expected);
            }
            let corners = board
                .cells()
                .filter(|&cell| board.neighbours(cell).len() == 5);
            assert_eq!(corners.count(), 6);
        }
    }

    #[test]
    fn a_rim_place_shows_one_cell() {
        for board in all() {
            let mut seen = HashMap::new();
            for (place, cell) in board.rim() {
                assert_eq!(*seen.entry(place).or_insert(cell), cell);
            }
            assert_eq!(seen.len() as i32, 6 * board.size() - 3);
        }
    }
}
