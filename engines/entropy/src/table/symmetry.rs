//! The eight symmetries of the board, and the classes of sets of seven squares under them.

use super::rank::{N_SETS, Ranks, sets};
use crate::geometry::{RANK, SIDE, Square, Squares, squares};

/// Number of reflections and rotations of the board; the identity is the first.
pub(super) const N_SYMMETRIES: usize = 8;

/// A symmetry from 0 to 7: bit 0 reflects the files, bit 1 the ranks, then bit 2 exchanges files and ranks.
pub(super) type Symmetry = u8;

/// Tables for the symmetries.
#[derive(Debug)]
pub(super) struct Symmetries {
    /// The image of each set of squares of each rank.
    images: [[[Squares; 32]; SIDE as usize]; N_SYMMETRIES],
    /// For each set, by its index: its class, and the symmetry that maps it to the first set of the class.
    classes: Vec<(u16, Symmetry)>,
    /// The first set of each class.
    first: Vec<Squares>,
    /// The symmetries, except the identity, that preserve the first set of the class.
    fixing: Vec<Vec<Symmetry>>,
}

impl Symmetries {
    pub(super) fn new(ranks: &Ranks) -> Symmetries {
        let mut symmetries = Symmetries {
            images: std::array::from_fn(|symmetry| images(symmetry as Symmetry)),
            classes: vec![(0, N_SYMMETRIES as Symmetry); N_SETS],
            first: Vec::new(),
            fixing: Vec::new(),
        };
        for set in sets() {
            if symmetries.classes[ranks.of_set(set)].1 == N_SYMMETRIES as Symmetry {
                symmetries.add_class(ranks, set);
            }
        }
        symmetries
    }

    fn add_class(&mut self, ranks: &Ranks, first: Squares) {
        let class = self.first.len() as u16;
        for symmetry in all() {
            let image = self.image(symmetry, first);
            self.classes[ranks.of_set(image)] = (class, inverse(symmetry));
        }
        // The identity, which comes first, may have been replaced by another symmetry that preserves the set.
        self.classes[ranks.of_set(first)] = (class, 0);
        let fixing = all()
            .skip(1)
            .filter(|&symmetry| self.image(symmetry, first) == first);
        self.fixing.push(fixing.collect());
        self.first.push(first);
    }

    pub(super) fn n_classes(&self) -> usize {
        self.first.len()
    }

    /// The class of a set by its index, and the symmetry that maps it to the first set of the class.
    #[inline]
    pub(super) fn class(&self, number: usize) -> (usize, Symmetry) {
        let (class, symmetry) = self.classes[number];
        (class.into(), symmetry)
    }

    /// The first set of a class.
    #[inline]
    pub(super) fn first(&self, class: usize) -> Squares {
        self.first[class]
    }

    /// The symmetries, except the identity, that preserve the first set of a class.
    #[inline]
    pub(super) fn fixing(&self, class: usize) -> &[Symmetry] {
        &self.fixing[class]
    }

    #[inline]
    pub(super) fn image(&self, symmetry: Symmetry, set: Squares) -> Squares {
        let ranks = self.images[usize::from(symmetry)].iter().zip(0..);
        ranks.fold(0, |image, (images, rank)| {
            image | images[(set >> (RANK * rank) & 31) as usize]
        })
    }

    pub(super) fn n_bytes(&self) -> usize {
        size_of_val(&self.classes[..])
            + size_of_val(&self.first[..])
            + size_of_val(&self.fixing[..])
            + size_of::<Symmetries>()
    }
}

fn all() -> impl Iterator<Item = Symmetry> {
    0..N_SYMMETRIES as Symmetry
}

fn images(symmetry: Symmetry) -> [[Squares; 32]; SIDE as usize] {
    std::array::from_fn(|rank| {
        std::array::from_fn(|set| {
            let of_rank = squares((set as Squares) << (RANK * rank as u8));
            of_rank.fold(0, |image, square| image | turned(symmetry, square).bit())
        })
    })
}

fn turned(symmetry: Symmetry, square: Square) -> Square {
    let (mut file, mut rank) = (square.file(), square.rank());
    if symmetry & 1 != 0 {
        file = SIDE - 1 - file;
    }
    if symmetry & 2 != 0 {
        rank = SIDE - 1 - rank;
    }
    if symmetry & 4 != 0 {
        (file, rank) = (rank, file);
    }
    Square::new(file, rank).expect("a symmetry keeps squares on the board")
}

/// All symmetries are self-inverse, except the two quarter turns, which are inverse to each other.
fn inverse(symmetry: Symmetry) -> Symmetry {
    match symmetry {
        5 => 6,
        6 => 5,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::BOARD;

    #[test]
    fn each_set_is_turned_into_the_first_of_its_class() {
        let ranks = Ranks::new();
        let symmetries = Symmetries::new(&ranks);
        for set in sets() {
            let (class, symmetry) = symmetries.class(ranks.of_set(set));
            assert_eq!(
                symmetries.image(symmetry, set),
                symmetries.first(class),
                "{set:#b}"
            );
        }
    }

    /// By Burnside's lemma: the identity preserves all sets, a half turn 220, each of four reflections 1,060.
    #[test]
    fn there_are_as_many_classes_as_there_must_be() {
        let symmetries = Symmetries::new(&Ranks::new());
        assert_eq!(symmetries.n_classes(), (480_700 + 220 + 4 * 1_060) / 8);
    }

    #[test]
    fn symmetries_keep_neighbours_and_have_inverses() {
        let symmetries = Symmetries::new(&Ranks::new());
        for symmetry in all() {
            let image = |set| symmetries.image(symmetry, set);
            for square in squares(BOARD) {
                let near = crate::geometry::neighbours(square.bit()) & BOARD;
                let near_image = crate::geometry::neighbours(image(square.bit())) & BOARD;
                assert_eq!(image(near), near_image);
                assert_eq!(
                    symmetries.image(inverse(symmetry), image(square.bit())),
                    square.bit()
                );
            }
        }
    }
}
