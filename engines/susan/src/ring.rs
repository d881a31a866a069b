//! The neighbours of a cell in clockwise order.

use crate::cells::{CENTRE, Cell, Cells, Window};

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
    #[inline]
    pub(crate) fn six(&self, near: Window) -> Six {
        let sides = near >> (CENTRE - 1) & 1 | near >> CENTRE & 2;
        let rows = (near >> self.above & 3) << 2 | (near >> self.below & 3) << 4;
        (sides | rows) as Six | self.off
    }
}
