//! The eight symmetries of the board, and the classes of sets of seven squares under them.

use std::array::from_fn;

use kit::tablebase::SymmetryClasses;

use super::rank::{N_SETS, Ranks, sets};
use crate::geometry::{RANK, SIDE, Square, Squares};

/// Number of reflections and rotations of the board; the identity is the first.
pub(super) const N_SYMMETRIES: usize = 8;

/// The image of each set of squares of each rank, by symmetry. Bit 0 of a symmetry reflects the files, bit 1 the ranks,
/// then bit 2 exchanges files and ranks.
#[derive(Debug)]
pub(super) struct Symmetries([[[Squares; 32]; SIDE as usize]; N_SYMMETRIES]);

impl Symmetries {
    pub(super) fn new() -> Symmetries {
        Symmetries(from_fn(images))
    }

    /// The classes of sets of seven squares, by their indices.
    pub(super) fn classes(&self, ranks: &Ranks) -> SymmetryClasses {
        let image = |set, symmetry| self.image(symmetry, set);
        SymmetryClasses::new(
            sets(),
            (N_SETS, |set| ranks.of_set(set)),
            (N_SYMMETRIES, image),
        )
    }

    #[inline]
    pub(super) fn image(&self, symmetry: usize, set: Squares) -> Squares {
        let ranks = self.0[symmetry].iter().zip(0..);
        ranks.fold(0, |image, (images, rank)| {
            image | images[(set >> (RANK * rank) & 31) as usize]
        })
    }
}

fn images(symmetry: usize) -> [[Squares; 32]; SIDE as usize] {
    from_fn(|rank| {
        from_fn(|set| {
            let of_rank = Square::of((set as Squares) << (RANK * rank as u8));
            of_rank.fold(0, |image, square| {
                image | square.turned(symmetry, SIDE).bit()
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{BOARD, Square, neighbours};

    #[test]
    fn each_set_is_turned_into_the_first_of_its_class() {
        let (ranks, symmetries) = (Ranks::new(), Symmetries::new());
        let classes = symmetries.classes(&ranks);
        for set in sets() {
            let (class, symmetry) = classes.of(ranks.of_set(set)).expect("a class");
            let first = classes.classes()[class].first;
            assert_eq!(symmetries.image(symmetry, set), first, "{set:#b}");
        }
        // By Burnside's lemma: the identity preserves all sets, a half turn 220, each of four reflections 1,060.
        assert_eq!(classes.classes().len(), (480_700 + 220 + 4 * 1_060) / 8);
    }

    #[test]
    fn symmetries_keep_neighbours() {
        let symmetries = Symmetries::new();
        for symmetry in 0..N_SYMMETRIES {
            for square in Square::of(BOARD) {
                let near = |set| neighbours(set) & BOARD;
                let image = symmetries.image(symmetry, square.bit());
                assert_eq!(symmetries.image(symmetry, near(square.bit())), near(image));
            }
        }
    }
}
