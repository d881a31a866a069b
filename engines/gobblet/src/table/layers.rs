//! Layers: the placements of the pieces of one size, with their indices.

use crate::pieces::{Square, Squares, bit};

/// Squares per side.
pub(super) const WIDTH: u8 = 3;
/// All squares.
pub(super) const ALL: Squares = 0b0111_0111_0111;
/// One more than the largest set of squares, as a number.
pub(super) const N_SETS: usize = ALL as usize + 1;
/// Number of pieces of each size per player.
const N_EACH: u32 = 2;
/// Number of symmetries of the board.
pub(super) const N_SYMMETRIES: usize = 8;

/// The index of a layer.
pub(super) type LayerNumber = u16;

/// The pieces of one size, of the player to move and of the opponent, covered ones included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layer {
    pub(super) own: Squares,
    pub(super) theirs: Squares,
}

/// Marks a set of more than two squares.
const NO_SET: u8 = u8::MAX;
/// Marks a pair of sets that is not a layer.
const NO_LAYER: LayerNumber = LayerNumber::MAX;

/// All layers.
#[derive(Debug)]
pub(super) struct Layers {
    layers: Vec<Layer>,
    /// For each set of squares, its index among those of at most two squares.
    sets: [u8; N_SETS],
    n_sets: usize,
    /// For each two sets by their indices, the layer.
    numbers: Vec<LayerNumber>,
    /// For each layer, the one with the players exchanged.
    swapped: Vec<LayerNumber>,
    /// For each symmetry and each layer, its image.
    images: Vec<Vec<LayerNumber>>,
}

impl Layers {
    pub(super) fn new() -> Layers {
        let sets = (0..=ALL).filter(|set| set & !ALL == 0);
        let few: Vec<Squares> = sets.filter(|set| set.count_ones() <= N_EACH).collect();
        let mut sets = [NO_SET; N_SETS];
        for (&set, number) in few.iter().zip(0..) {
            sets[usize::from(set)] = number;
        }
        let mut layers = Layers {
            layers: Vec::new(),
            sets,
            n_sets: few.len(),
            numbers: vec![NO_LAYER; few.len() * few.len()],
            swapped: Vec::new(),
            images: Vec::new(),
        };
        for &own in &few {
            for &theirs in few.iter().filter(|&theirs| own & theirs == 0) {
                let place = layers.place(own, theirs);
                layers.numbers[place] = layers.layers.len() as LayerNumber;
                layers.layers.push(Layer { own, theirs });
            }
        }
        let all = |to: &dyn Fn(&Layer) -> (Squares, Squares)| -> Vec<LayerNumber> {
            let number = |layer| {
                let (own, theirs) = to(layer);
                layers.number(own, theirs)
            };
            layers.layers.iter().map(number).collect()
        };
        let swapped = all(&|layer| (layer.theirs, layer.own));
        let image = |symmetry| {
            let of = |set: Squares| {
                let images = Square::of(set).map(|square| square.turned(symmetry, WIDTH));
                images.fold(0, |image, square| image | bit(square))
            };
            all(&|layer| (of(layer.own), of(layer.theirs)))
        };
        let images = (0..N_SYMMETRIES).map(image).collect();
        (layers.swapped, layers.images) = (swapped, images);
        layers
    }

    pub(super) fn len(&self) -> usize {
        self.layers.len()
    }

    #[inline]
    pub(super) fn layer(&self, number: LayerNumber) -> Layer {
        self.layers[usize::from(number)]
    }

    /// The index of an existing layer.
    #[inline]
    pub(super) fn number(&self, own: Squares, theirs: Squares) -> LayerNumber {
        self.numbers[self.place(own, theirs)]
    }

    /// The index of a layer; `None` if a set has more than two squares or the sets overlap.
    pub(super) fn find(&self, own: Squares, theirs: Squares) -> Option<LayerNumber> {
        let is_set = |set: Squares| self.sets[usize::from(set)] != NO_SET;
        let number = (is_set(own) && is_set(theirs)).then(|| self.number(own, theirs));
        number.filter(|&number| number != NO_LAYER)
    }

    #[inline]
    pub(super) fn swapped(&self, number: LayerNumber) -> LayerNumber {
        self.swapped[usize::from(number)]
    }

    #[inline]
    pub(super) fn image(&self, number: LayerNumber, symmetry: usize) -> LayerNumber {
        self.images[symmetry][usize::from(number)]
    }

    #[inline]
    fn place(&self, own: Squares, theirs: Squares) -> usize {
        let set = |set: Squares| usize::from(self.sets[usize::from(set)]);
        set(own) * self.n_sets + set(theirs)
    }
}
