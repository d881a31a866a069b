//! Layers: the placements of the pieces of one size, with their indices.

use kit::bits::bits;

/// Squares per side.
pub(super) const WIDTH: u8 = 3;
pub(super) const N_SQUARES: usize = (WIDTH * WIDTH) as usize;
/// Number of pieces of each size per player.
const N_EACH: u32 = 2;
/// Number of symmetries of the board.
pub(super) const N_SYMMETRIES: usize = 8;

/// A set of squares: bit `file + 3 * rank` for each.
pub(super) type Mask = u16;

/// The index of a layer.
pub(super) type LayerNumber = u16;

/// The pieces of one size, of the player to move and of the opponent, covered ones included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layer {
    pub(super) own: Mask,
    pub(super) theirs: Mask,
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
    sets: [u8; 1 << N_SQUARES],
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
        let masks: std::ops::Range<Mask> = 0..1 << N_SQUARES;
        let few: Vec<Mask> = masks.filter(|set| set.count_ones() <= N_EACH).collect();
        let mut sets = [NO_SET; 1 << N_SQUARES];
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
        let all = |to: &dyn Fn(&Layer) -> (Mask, Mask)| -> Vec<LayerNumber> {
            let number = |layer| {
                let (own, theirs) = to(layer);
                layers.number(own, theirs)
            };
            layers.layers.iter().map(number).collect()
        };
        let swapped = all(&|layer| (layer.theirs, layer.own));
        let image = |symmetry| {
            let of = |set| bits(set).fold(0, |image, i| image | 1 << turned(i, symmetry));
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
    pub(super) fn number(&self, own: Mask, theirs: Mask) -> LayerNumber {
        self.numbers[self.place(own, theirs)]
    }

    /// The index of a layer; `None` if a set has more than two squares or the sets overlap.
    pub(super) fn find(&self, own: Mask, theirs: Mask) -> Option<LayerNumber> {
        let is_set = |set: Mask| self.sets[usize::from(set)] != NO_SET;
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
    fn place(&self, own: Mask, theirs: Mask) -> usize {
        let set = |set: Mask| usize::from(self.sets[usize::from(set)]);
        set(own) * self.n_sets + set(theirs)
    }
}

/// The image of a square under a symmetry: up to three quarter turns, possibly followed by a reflection.
fn turned(i: u8, symmetry: usize) -> u8 {
    let (mut file, mut rank) = (i % WIDTH, i / WIDTH);
    for _ in 0..symmetry % 4 {
        (file, rank) = (rank, WIDTH - 1 - file);
    }
    if symmetry >= 4 {
        file = WIDTH - 1 - file;
    }
    file + WIDTH * rank
}
