//! Sets of cells as bits, and 64-bit windows of them.
//!
//! Cells are numbered row by row, so the neighbours of a cell, and their neighbours, have numbers close to its number:
//! at most 31 away on any board. All effects of a move therefore fit into one word, a [`Window`].

use std::{array, iter};

use kit::bits::bits;

/// A cell: its number in canonical order, from 0.
pub type Cell = u8;

/// The 64 cells around a given cell, which is at bit [`CENTRE`]; cells with higher numbers are at higher bits.
pub(crate) type Window = u64;

/// The bit of the cell at the centre of a window.
pub(crate) const CENTRE: u8 = 32;

/// A set of cells of a board of any size. A cell's bit is its number plus [`CENTRE`], which leaves a margin for
/// windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cells([u64; WORDS]);

/// Words in a set: enough for the 169 cells of the largest board and the margins.
const WORDS: usize = 4;

impl Cells {
    pub(crate) fn has(&self, cell: Cell) -> bool {
        let (word, bit) = place(cell);
        self.0[word] >> bit & 1 != 0
    }

    pub(crate) fn insert(&mut self, cell: Cell) {
        let (word, bit) = place(cell);
        self.0[word] |= 1 << bit;
    }

    /// Inserts a cell, or removes it if it is present.
    pub(crate) fn flip(&mut self, cell: Cell) {
        let (word, bit) = place(cell);
        self.0[word] ^= 1 << bit;
    }

    pub(crate) fn union(&self, other: &Cells) -> Cells {
        Cells(array::from_fn(|i| self.0[i] | other.0[i]))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The cells of the set in canonical order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Cell> + use<> {
        let (words, mut at) = (self.0, 0);
        let mut word = words[0];
        iter::from_fn(move || {
            while word == 0 {
                at += 1;
                word = *words.get(at)?;
            }
            let bit = (64 * at) as u8 + word.trailing_zeros() as u8;
            word &= word - 1;
            Some(bit.wrapping_sub(CENTRE))
        })
    }

    /// The members among the 64 cells around a cell.
    pub(crate) fn window(&self, cell: Cell) -> Window {
        let (word, shift) = (usize::from(cell / 64), cell % 64);
        let next = self.0[(word + 1) % WORDS];
        self.0[word] >> shift | next << 1 << (63 - shift)
    }
}

/// Word and bit of a cell.
fn place(cell: Cell) -> (usize, u8) {
    let bit = cell.wrapping_add(CENTRE);
    (usize::from(bit / 64), bit % 64)
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Cells {
        let mut set = Cells::default();
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

/// The cell at a bit of the window around `centre`.
pub(crate) fn cell_at(bit: u8, centre: Cell) -> Cell {
    centre.wrapping_add(bit).wrapping_sub(CENTRE)
}

/// The cells of the window around `centre`.
pub(crate) fn cells_in(window: Window, centre: Cell) -> impl Iterator<Item = Cell> {
    bits(window).map(move |bit| cell_at(bit, centre))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in_across_words() {
        let cells = [0, 1, 31, 32, 63, 64, 100, 127, 128, 168];
        let mut set = Cells::from_iter(cells);
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert_eq!(set.len(), cells.len());
        set.flip(100);
        set.flip(101);
        assert!(!set.has(100) && set.has(101) && set.has(168));
    }

    #[test]
    fn a_window_shows_the_members_around_a_cell() {
        let cells = [0, 5, 31, 32, 63, 64, 90, 127, 128, 168];
        let set = Cells::from_iter(cells);
        for centre in 0..169 {
            let seen = bits(set.window(centre)).map(|bit| i16::from(bit) + i16::from(centre) - 32);
            let around = i16::from(centre) - 32..i16::from(centre) + 32;
            let members = cells
                .map(i16::from)
                .into_iter()
                .filter(|cell| around.contains(cell));
            assert!(seen.eq(members), "around {centre}");
        }
    }
}
