//! The cells around each cell, and the classes of their contents, for the move features.

use std::array;
use std::sync::LazyLock;

use kit::network::pattern_classes;

use crate::bridges::bridges;
use crate::geometry::{Cell, Geometry};

/// Number of cells of the largest board.
pub(crate) const MAX_CELLS: usize = 507;
/// Maximum distance from a corner in the features; larger distances count as this one.
pub(crate) const FAR_FROM_CORNER: u8 = 3;
/// Number of classes of each kind of pattern, up to symmetry.
pub(crate) const N_RINGS: u16 = 131;
pub(crate) const N_WEDGES: u16 = 135;
pub(crate) const N_RAYS: u16 = 72;

/// Number of states of a cell: empty, own, enemy. A place without a cell has one more state.
const N_STATES: usize = 3;

/// The cells around a cell. An absent cell has the number of cells on the board as its number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around {
    /// Number of neighbours.
    pub(crate) degree: usize,
    /// Its neighbours, in the order of [`Geometry::neighbours`].
    pub(crate) ring: [Cell; 6],
    /// For each neighbour and the next one, their other common neighbour.
    pub(crate) behind: [Cell; 6],
    /// For each neighbour, the cell straight behind it; absent behind a corner.
    pub(crate) straight: [Cell; 6],
}

/// The surroundings of all cells of a board.
#[derive(Debug)]
pub(crate) struct Surroundings {
    /// By cell.
    pub(crate) around: Vec<Around>,
    /// Steps to the nearest corner, at most [`FAR_FROM_CORNER`].
    pub(crate) to_corner: Vec<u8>,
}

impl Surroundings {
    pub(crate) fn new(board: &Geometry) -> Surroundings {
        let bridges = bridges(board);
        let around = |cell| {
            let bridges = bridges[usize::from(cell)].iter();
            let behind: Vec<Cell> = bridges.map(|bridge| bridge.to).collect();
            around(board, cell, &behind)
        };
        Surroundings {
            around: board.cells().map(around).collect(),
            to_corner: distances_to_corners(board),
        }
    }
}

fn around(board: &Geometry, cell: Cell, behind: &[Cell]) -> Around {
    let absent = board.n_cells() as Cell;
    let ring = board.neighbours(cell);
    let straight = |&next: &Cell| {
        let onwards = board.neighbours(next);
        let back = onwards.iter().position(|&to| to == cell);
        let back = back.expect("neighbours touch each other");
        let has_opposite = onwards.len() == 6;
        if has_opposite {
            onwards[(back + 3) % 6]
        } else {
            absent
        }
    };
    let straight: Vec<Cell> = ring.iter().map(straight).collect();
    let padded = |cells: &[Cell]| array::from_fn(|i| cells.get(i).copied().unwrap_or(absent));
    Around {
        degree: ring.len(),
        ring: padded(ring),
        behind: padded(behind),
        straight: padded(&straight),
    }
}

/// By cell: the steps to the nearest cell with five neighbours.
fn distances_to_corners(board: &Geometry) -> Vec<u8> {
    let is_corner = |cell: Cell| board.neighbours(cell).len() == 5;
    let start = |cell| if is_corner(cell) { 0 } else { FAR_FROM_CORNER };
    let mut distances: Vec<u8> = board.cells().map(start).collect();
    for distance in 1..FAR_FROM_CORNER {
        for cell in board.cells() {
            let mut near = board.neighbours(cell).iter();
            let is_next = near.any(|&next| distances[usize::from(next)] == distance - 1);
            let known = &mut distances[usize::from(cell)];
            if is_next {
                *known = distance.min(*known);
            }
        }
    }
    distances
}

/// The classes of patterns. Patterns that are equal up to rotation or reflection have the same class.
#[derive(Debug)]
pub(crate) struct Classes {
    /// By code: of rings of six cells, and of five, which follow them.
    rings: [Vec<u16>; 2],
    wedges: Box<[u16; N_STATES.pow(5)]>,
    rays: Box<[u16; N_STATES.pow(3) * (N_STATES + 1)]>,
}

static CLASSES: LazyLock<Classes> = LazyLock::new(|| {
    let least_ring = |degree| move |code| Some(least_of_ring(code, degree));
    let sixes = pattern_classes::<{ N_STATES.pow(6) }>(least_ring(6));
    let n_sixes = sixes.iter().max().map_or(0, |last| last + 1);
    let fives = pattern_classes::<{ N_STATES.pow(5) }>(least_ring(5));
    let least_wedge = |code: u16| {
        let [first, second, third, fourth] = digits(code.into());
        let mirrored = wedge_code(
            [fourth, third, second, first],
            usize::from(code) / N_STATES.pow(4),
        );
        Some(code.min(mirrored as u16))
    };
    let least_ray = |code: u16| {
        let [left, right] = digits(code.into());
        let mirrored = right + N_STATES * (left + N_STATES * (usize::from(code) / N_STATES.pow(2)));
        Some(code.min(mirrored as u16))
    };
    Classes {
        rings: [sixes.to_vec(), fives.map(|class| n_sixes + class).to_vec()],
        wedges: pattern_classes(least_wedge),
        rays: pattern_classes(least_ray),
    }
});

impl Classes {
    pub(crate) fn get() -> &'static Classes {
        &CLASSES
    }

    /// The class of a ring of five or six states.
    #[inline]
    pub(crate) fn ring(&self, ring: &[u8]) -> u16 {
        self.rings[6 - ring.len()][ring_code(ring)]
    }

    /// The class of four consecutive neighbours and the cell behind the two in the middle.
    #[inline]
    pub(crate) fn wedge(&self, row: [u8; 4], behind: u8) -> u16 {
        self.wedges[wedge_code(row.map(usize::from), behind.into())]
    }

    /// The class of a neighbour, the cell straight behind it, which may be absent, and the two cells next to that one.
    #[inline]
    pub(crate) fn ray(&self, near: u8, far: u8, beside: [u8; 2]) -> u16 {
        let [left, right] = beside.map(usize::from);
        let line = usize::from(near) + N_STATES * usize::from(far);
        self.rays[left + N_STATES * (right + N_STATES * line)]
    }
}

fn ring_code(ring: &[u8]) -> usize {
    let digits = ring.iter().rev();
    digits.fold(0, |code, &state| N_STATES * code + usize::from(state))
}

fn wedge_code(row: [usize; 4], behind: usize) -> usize {
    let digits = row.iter().rev();
    digits.fold(behind, |code, &state| N_STATES * code + state)
}

/// The least code of the rings that are equal to one up to rotation and reflection.
fn least_of_ring(code: u16, degree: usize) -> u16 {
    let mut ring = digits::<6>(code.into()).map(|state| state as u8);
    let ring = &mut ring[..degree];
    let turned = |i| {
        if i == degree {
            ring.reverse();
        }
        ring.rotate_left(1);
        ring_code(ring) as u16
    };
    (0..2 * degree).map(turned).min().unwrap_or(code)
}

/// The lowest digits of a code, the last one first.
fn digits<const N: usize>(code: usize) -> [usize; N] {
    array::from_fn(|i| code / N_STATES.pow(i as u32) % N_STATES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_classes_as_features() {
        let classes = Classes::get();
        let n = |codes: &[u16]| codes.iter().max().map_or(0, |last| last + 1);
        assert_eq!(n(&classes.rings[0]), 92);
        assert_eq!(n(&classes.rings[1]), N_RINGS);
        assert_eq!(n(&classes.wedges[..]), N_WEDGES);
        assert_eq!(n(&classes.rays[..]), N_RAYS);
    }

    #[test]
    fn mirror_images_have_one_class_and_other_patterns_another() {
        let classes = Classes::get();
        assert_eq!(
            classes.ring(&[0, 1, 2, 0, 0, 0]),
            classes.ring(&[0, 0, 2, 1, 0, 0])
        );
        assert_ne!(
            classes.ring(&[0, 1, 2, 0, 0, 0]),
            classes.ring(&[0, 1, 0, 2, 0, 0])
        );
        assert_eq!(
            classes.wedge([0, 1, 2, 0], 1),
            classes.wedge([0, 2, 1, 0], 1)
        );
        assert_ne!(
            classes.wedge([0, 1, 2, 0], 1),
            classes.wedge([1, 0, 2, 0], 1)
        );
        assert_eq!(classes.ray(1, 3, [0, 2]), classes.ray(1, 3, [2, 0]));
        assert_ne!(classes.ray(1, 3, [0, 2]), classes.ray(3 - 1, 3, [2, 0]));
    }

    #[test]
    fn the_largest_board_fits() {
        let largest = Geometry::new(*Geometry::SIZES.end());
        assert_eq!(largest.n_cells(), MAX_CELLS);
    }
}
