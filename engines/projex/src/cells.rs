//! Sets of cells as bits, on the board and on its double cover.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use kit::bits::bits;

use crate::geometry::Cell;

/// A set of cells of a board of at most 64 times W cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cells<const W: usize>([u64; W]);

impl<const W: usize> Default for Cells<W> {
    fn default() -> Cells<W> {
        Cells([0; W])
    }
}

impl<const W: usize> Cells<W> {
    /// The cells whose items have a property; the items are in canonical order.
    #[inline]
    pub(crate) fn which<T>(items: &[T], has: impl Fn(&T) -> bool) -> Cells<W> {
        let mut set = Cells::default();
        // Without branches, because the stones of a full board are random.
        for (word, items) in set.0.iter_mut().zip(items.chunks(64)) {
            for (i, item) in items.iter().enumerate() {
                *word |= u64::from(has(item)) << i;
            }
        }
        set
    }

    #[inline]
    pub(crate) fn insert(&mut self, cell: Cell) {
        self.0[usize::from(cell / 64)] |= 1 << (cell % 64);
    }

    #[inline]
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        self.0[usize::from(cell / 64)] >> (cell % 64) & 1 != 0
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        // Without branches, because this is called very often.
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    /// Number of cells.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// `true` if the other set contains all cells of this one.
    #[inline]
    pub(crate) fn is_subset(&self, other: Cells<W>) -> bool {
        (*self & !other).is_empty()
    }

    /// The cells in canonical order.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = Cell> {
        let words = (0..).step_by(64).zip(self.0);
        words.flat_map(|(first, word)| bits(word).map(move |bit| first + Cell::from(bit)))
    }
}

impl<const W: usize> FromIterator<Cell> for Cells<W> {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Cells<W> {
        let mut set = Cells::default();
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

impl<const W: usize> BitAnd for Cells<W> {
    type Output = Cells<W>;

    #[inline]
    fn bitand(self, other: Cells<W>) -> Cells<W> {
        Cells(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const W: usize> BitOr for Cells<W> {
    type Output = Cells<W>;

    #[inline]
    fn bitor(self, other: Cells<W>) -> Cells<W> {
        Cells(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const W: usize> BitOrAssign for Cells<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Cells<W>) {
        *self = *self | other;
    }
}

impl<const W: usize> Not for Cells<W> {
    type Output = Cells<W>;

    /// All bits not in the set, including those beyond the board.
    #[inline]
    fn not(self) -> Cells<W> {
        Cells(self.0.map(|word| !word))
    }
}

/// A set of cells on the two sheets of the board's double cover.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DoubleCoverSet<const W: usize>(pub(crate) [Cells<W>; 2]);

impl<const W: usize> Default for DoubleCoverSet<W> {
    fn default() -> DoubleCoverSet<W> {
        DoubleCoverSet([Cells::default(); 2])
    }
}

impl<const W: usize> DoubleCoverSet<W> {
    /// Adds a cell, on the first or the other sheet.
    #[inline]
    pub(crate) fn insert(&mut self, (cell, is_on_other): (Cell, bool)) {
        self.0[usize::from(is_on_other)].insert(cell);
    }

    /// The set with a cell on the first or the other sheet.
    pub(crate) fn with(mut self, cell: (Cell, bool)) -> DoubleCoverSet<W> {
        self.insert(cell);
        self
    }

    /// These cells on both sheets.
    pub(crate) fn both(cells: Cells<W>) -> DoubleCoverSet<W> {
        DoubleCoverSet([cells, cells])
    }

    /// The cells on either sheet.
    pub(crate) fn flat(self) -> Cells<W> {
        self.0[0] | self.0[1]
    }

    pub(crate) fn is_empty(self) -> bool {
        self.flat().is_empty()
    }

    /// All cells one step away from these; `near` has the steps of each cell on the first sheet.
    #[inline]
    pub(crate) fn spread(self, near: &[DoubleCoverSet<W>]) -> DoubleCoverSet<W> {
        let [one, other] = self.0.map(|cells| {
            let mut reached = DoubleCoverSet::default();
            cells
                .iter()
                .for_each(|cell| reached |= near[usize::from(cell)]);
            reached
        });
        let mut reached = one;
        reached |= other.turned();
        reached
    }

    /// Exchanges the sheets.
    pub(crate) fn turned(self) -> DoubleCoverSet<W> {
        let [one, other] = self.0;
        DoubleCoverSet([other, one])
    }

    /// Keeps each cell on one sheet only: the first, if it is on both.
    pub(crate) fn settled(self) -> DoubleCoverSet<W> {
        let [one, other] = self.0;
        DoubleCoverSet([one, other & !one])
    }
}

impl<const W: usize> BitAnd for DoubleCoverSet<W> {
    type Output = DoubleCoverSet<W>;

    fn bitand(self, other: DoubleCoverSet<W>) -> DoubleCoverSet<W> {
        DoubleCoverSet([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

impl<const W: usize> Not for DoubleCoverSet<W> {
    type Output = DoubleCoverSet<W>;

    fn not(self) -> DoubleCoverSet<W> {
        DoubleCoverSet(self.0.map(Not::not))
    }
}

impl<const W: usize> BitOrAssign for DoubleCoverSet<W> {
    fn bitor_assign(&mut self, other: DoubleCoverSet<W>) {
        self.0[0] |= other.0[0];
        self.0[1] |= other.0[1];
    }
}
