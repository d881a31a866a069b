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

    /// Row, letter, and the number of the diagonal from the upper right to the lower left. On a board of size n each is from
    /// 1 to 2n-2, and their sum is 3n-1, so that the board is symmetric in the three.
    fn coordinates(self, size: i32) -> [i32; 3] {
        [self.row, self.letter, 3 * size - 1 - self.row - self.letter]
    }

    fn at([row, letter, _]: [i32; 3]) -> Place {
        Place { row, letter }
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

/// The map from the board to a copy of it beyond one of its six sides, where it continues turned over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mirror {
    size: i32,
    /// The coordinate that leaves the board.
    axis: usize,
    /// 1 if it is too large there, -1 if it is too small.
    sign: i32,
}

impl Mirror {
    /// The copies beyond all sides of a board of this size.
    fn all(size: i32) -> impl Iterator<Item = Mirror> {
        let sides = (0..3).flat_map(|axis| [(axis, -1), (axis, 1)]);
        sides.map(move |(axis, sign)| Mirror { size, axis, sign })
    }

    /// The place of the copy of a place.
    pub(crate) fn of(self, place: Place) -> Place {
        let mut at = place.coordinates(self.size);
        let shift = self.sign * (self.size - 1);
        at[self.axis] += 2 * shift;
        let (one, other) = ((self.axis + 1) % 3, (self.axis + 2) % 3);
        (at[one], at[other]) = (at[other] - shift, at[one] - shift);
        Place::at(at)
    }
}

/// The geometry of one size.
#[derive(Debug)]
pub struct Geometry {
    size: i32,
    places: Vec<Place>,
    around: Vec<PackedNeighbours>,
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
        };
        for row in 1..=board.n_rows() {
            let (first, last) = board.letters(row);
            let places = (first..=last).map(|letter| Place { row, letter });
            board.places.extend(places);
        }
        let places = board.places.iter();
        board.around = places.map(|&place| board.find_around(place)).collect();
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
        let n = self.size;
        ((n + 1 - row).max(1), (3 * n - 2 - row).min(2 * n - 2))
    }

    /// The last row that a letter's diagonal reaches.
    pub fn last_row(&self, letter: i32) -> i32 {
        let n = self.size;
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

    /// The symmetries of the board, each as the image of every cell; the identity is the first.
    pub(crate) fn symmetries(&self) -> Vec<Vec<Cell>> {
        let orders = [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ];
        let image = |place: &Place, order: [usize; 3]| {
            let coordinates = place.coordinates(self.size);
            let image = self.cell_at(Place::at(order.map(|i| coordinates[i])));
            image.expect("the coordinates have the same range")
        };
        let images = |order| {
            self.places
                .iter()
                .map(|place| image(place, order))
                .collect()
        };
        orders.map(images).to_vec()
    }

    /// The places around the board, each with the cell of the far side that it shows. A place adjacent to two cells occurs
    /// twice.
    pub fn rim(&self) -> impl Iterator<Item = (Place, Cell)> + '_ {
        let around = self.places.iter().flat_map(|place| place.around());
        let beyond = around.filter(|place| self.cell_at(*place).is_none());
        beyond.map(|place| (place, self.beyond(place).1))
    }

    /// The copy of the board in which a place next to the board is, and the cell that it shows.
    pub(crate) fn beyond(&self, place: Place) -> (Mirror, Cell) {
        let shown = |copy: Mirror| {
            // The opposite side has the inverse map.
            let sign = -copy.sign;
            let original = Mirror { sign, ..copy }.of(place);
            Some((copy, self.cell_at(original)?))
        };
        let found = Mirror::all(self.size).find_map(shown);
        found.expect("the copies surround the board")
    }

    fn find_around(&self, place: Place) -> PackedNeighbours {
        let mut around = PackedNeighbours::default();
        for next in place.around() {
            match self.cell_at(next) {
                Some(cell) => around.push(cell, false),
                None => {
                    let (_, far) = self.beyond(next);
                    // A corner meets the opposite corner twice, which is one neighbour.
                    if !around.cells().contains(&far) {
                        around.push(far, true);
                    }
                }
            }
        }
        around
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
            let is_inside = |place| board.cell_at(place).is_some();
            let is_border = |cell: &Cell| !board.place(*cell).around().all(is_inside);
            let border: BTreeSet<Cell> = board.cells().filter(is_border).collect();
            assert_eq!(border.len() as i32, 6 * board.size() - 9);
            assert_eq!(board.rim().count() as i32, 12 * board.size() - 12);
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
