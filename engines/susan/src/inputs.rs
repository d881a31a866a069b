//! The inputs of the learned evaluation: one for each cell, given by its content and that of its neighbours, up to
//! rotation and reflection. The same network therefore serves boards of every size.

use std::sync::LazyLock;

use kit::Side;
use kit::network::Seen;

use crate::cells::{CENTRE, Cell, Cells, Window};
use crate::geometry::Geometry;
use crate::rules::{Move, Position, Susan};

/// A bit for each neighbour of a cell in a pattern: left, right, the two above, the two below.
type Six = u16;

/// The bits of the neighbours in clockwise order.
const CLOCKWISE: [u16; 6] = [1, 5, 4, 0, 2, 3];
/// Number of patterns around a cell: bits for neighbours with own stones, and with enemy stones; both bits are set for
/// a neighbour beyond the edge.
const PATTERNS: usize = 1 << 12;

/// Number of patterns up to symmetry, by Burnside's lemma.
const CLASSES: usize = 430;

/// The class of each pattern.
static CLASS: LazyLock<Box<[u16; PATTERNS]>> = LazyLock::new(|| {
    let mut classes = Box::new([0; PATTERNS]);
    let mut count = 0;
    for pattern in 0..PATTERNS {
        let least = symmetric(pattern as u16).min().expect("twelve symmetries");
        classes[pattern] = if usize::from(least) == pattern {
            count += 1;
            count - 1
        } else {
            classes[usize::from(least)]
        };
    }
    classes
});

/// Number of inputs: the classes for each of three states of the cell.
pub(crate) const N_INPUTS: usize = 3 * CLASSES;

/// The images of a pattern under all twelve symmetries of the hexagon.
fn symmetric(pattern: u16) -> impl Iterator<Item = u16> {
    let moved = move |way: &dyn Fn(usize) -> usize| {
        (0..6).fold(0, |sum, i| {
            let (from, to) = (CLOCKWISE[i], CLOCKWISE[way(i) % 6]);
            sum | (pattern >> from & 1) << to | (pattern >> (6 + from) & 1) << (6 + to)
        })
    };
    (0..6).flat_map(move |by| [moved(&|i| i + by), moved(&|i| by + 6 - i)])
}

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
    #[inline]
    fn six(&self, near: Window) -> Six {
        let sides = near >> (CENTRE - 1) & 1 | near >> CENTRE & 2;
        let rows = (near >> self.above & 3) << 2 | (near >> self.below & 3) << 4;
        (sides | rows) as Six | self.off
    }
}

impl Susan {
    /// Calls `add` with the inputs of all cells, from the point of view of player 1 and of player 2.
    pub(crate) fn add_inputs(&self, position: &Position, add: &mut impl FnMut(Seen)) {
        let board = &self.board;
        board
            .cells()
            .for_each(|cell| add(input(board, position, cell)));
    }

    /// Calls `add` with the inputs that a move can change: those of the cells that it fills or vacates, and of their
    /// neighbours.
    #[inline]
    pub(crate) fn add_inputs_near(
        &self,
        position: &Position,
        mv: Move,
        add: &mut impl FnMut(Seen),
    ) {
        let mut touched = self.board.ring(mv.to()).touched;
        if let Some(from) = mv.from() {
            touched = touched.union(&self.board.ring(from).touched);
        }
        touched
            .iter()
            .for_each(|cell| add(input(&self.board, position, cell)));
    }
}

/// The input of a cell, from the point of view of player 1 and of player 2.
#[inline]
fn input(board: &Geometry, position: &Position, cell: Cell) -> Seen {
    let (ring, near) = (board.ring(cell), board.near(cell));
    let six = Side::BOTH.map(|side| {
        let stones = position.stones[side.index()].window(cell);
        (ring.six(stones & near), stones >> CENTRE & 1)
    });
    let seen = |own: usize| {
        let ((own_six, is_own), (enemy_six, is_enemy)) = (six[own], six[1 - own]);
        // The cell is empty, or has an own stone, or an enemy stone.
        let held = (is_own + 2 * is_enemy) as usize;
        (held * CLASSES) as u16 + CLASS[usize::from(own_six | enemy_six << 6)]
    };
    [seen(0), seen(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_numbered_without_gaps() {
        let most = CLASS.iter().max().expect("patterns");
        assert_eq!(usize::from(*most) + 1, CLASSES);
    }
}
