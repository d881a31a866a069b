//! Sets of cells as bits.

/// Words in a set: 192 bits hold the 169 cells of the largest board.
const W: usize = 3;

/// A set of cells; cell numbers follow the canonical order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cells([u64; W]);

impl Cells {
    #[inline]
    pub(crate) fn one(cell: u8) -> Cells {
        let mut set = Cells::default();
        set.0[cell as usize / 64] = 1 << (cell % 64);
        set
    }
    #[inline]
    pub(crate) fn flip(&mut self, cell: u8) {
        self.0[cell as usize / 64] ^= 1 << (cell % 64);
    }
    #[inline]
    pub(crate) fn has(&self, cell: u8) -> bool {
        self.0[cell as usize / 64] >> (cell % 64) & 1 != 0
    }
    #[inline]
    pub(crate) fn and(&self, other: &Cells) -> Cells {
        Cells(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
    #[inline]
    pub(crate) fn minus(&self, other: &Cells) -> Cells {
        Cells(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
    #[inline]
    pub(crate) fn meets(&self, other: &Cells) -> bool {
        (0..W).fold(0, |any, i| any | (self.0[i] & other.0[i])) != 0
    }
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }
    #[inline]
    pub(crate) fn for_each(&self, mut f: impl FnMut(u8)) {
        for i in 0..W {
            let mut w = self.0[i];
            while w != 0 {
                f((i * 64) as u8 + w.trailing_zeros() as u8);
                w &= w - 1;
            }
        }
    }
}
