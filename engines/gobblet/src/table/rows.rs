//! Rows and columns: the indices of positions up to symmetry.

use kit::tablebase::{SymmetryClass, SymmetryClasses};

use super::layers::{LayerNumber, Layers, N_SYMMETRIES};

/// The indexing of rows and columns.
#[derive(Debug)]
pub(super) struct LayerRows {
    pub(super) layers: Layers,
    /// The classes of pairs of layers of large and middle pieces. Each is a row.
    classes: SymmetryClasses,
    rows: Vec<LayerRow>,
    groups: Vec<Group>,
    pub(super) n_indices: u64,
}

/// A class of pairs of layers that are symmetric to each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct LayerRow {
    /// The representative pair, whose columns are indexed.
    pub(super) large: LayerNumber,
    pub(super) middle: LayerNumber,
    /// The group of symmetries that leave the pair unchanged.
    group: u8,
    /// The index of its first column.
    pub(super) first: u64,
}

/// The columns up to the symmetries that leave a row unchanged.
#[derive(Debug)]
struct Group {
    /// The symmetries, one bit each.
    symmetries: u8,
    /// The layer of small pieces that represents each column.
    columns: Vec<LayerNumber>,
    /// For each symmetry and each layer of small pieces, the column of the layer's image.
    images: Vec<Vec<u16>>,
}

/// The positions with two larger layers, such as those after a move of a larger piece.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'a> {
    first: u64,
    columns: &'a [u16],
}

impl Target<'_> {
    /// The index with this layer of small pieces.
    #[inline]
    pub(super) fn number(&self, small: LayerNumber) -> u64 {
        self.first + u64::from(self.columns[usize::from(small)])
    }
}

impl LayerRows {
    pub(super) fn new() -> LayerRows {
        let layers = Layers::new();
        let n = layers.len() as u32;
        let image = |pair: u32, symmetry| {
            let [large, middle] = [pair / n, pair % n];
            let image = |layer: u32| u32::from(layers.image(layer as LayerNumber, symmetry));
            image(large) * n + image(middle)
        };
        let key = |pair| pair as usize;
        let n_pairs = n * n;
        let classes = SymmetryClasses::new(0..n_pairs, (key(n_pairs), key), (N_SYMMETRIES, image));
        let mut rows = LayerRows {
            layers,
            classes,
            rows: Vec::new(),
            groups: Vec::new(),
            n_indices: 0,
        };
        for i in 0..rows.classes.classes().len() {
            let SymmetryClass { first, keeping } = rows.classes.classes()[i];
            let group = rows.group(keeping as u8);
            rows.rows.push(LayerRow {
                large: (first / n) as LayerNumber,
                middle: (first % n) as LayerNumber,
                group,
                first: rows.n_indices,
            });
            rows.n_indices += rows.groups[usize::from(group)].columns.len() as u64;
        }
        rows
    }

    /// The group of these symmetries.
    fn group(&mut self, symmetries: u8) -> u8 {
        let known = self
            .groups
            .iter()
            .position(|group| group.symmetries == symmetries);
        let place = known.unwrap_or_else(|| {
            self.groups.push(Group::new(&self.layers, symmetries));
            self.groups.len() - 1
        });
        place as u8
    }

    /// The positions with these larger layers.
    pub(super) fn target(&self, large: LayerNumber, middle: LayerNumber) -> Target<'_> {
        let pair = usize::from(large) * self.layers.len() + usize::from(middle);
        let (row, symmetry) = self.classes.of(pair).expect("each pair has a row");
        let row = &self.rows[row];
        Target {
            first: row.first,
            columns: &self.groups[usize::from(row.group)].images[symmetry],
        }
    }

    /// The positions with these larger layers, when the players are then exchanged.
    pub(super) fn swapped(&self, large: LayerNumber, middle: LayerNumber) -> Target<'_> {
        self.target(self.layers.swapped(large), self.layers.swapped(middle))
    }

    /// The row of an index.
    pub(super) fn row_of(&self, number: u64) -> &LayerRow {
        &self.rows[self.rows.partition_point(|row| row.first <= number) - 1]
    }

    /// The layers of the position that represents an index: large, middle, small.
    pub(super) fn layers_of(&self, number: u64) -> (LayerNumber, LayerNumber, LayerNumber) {
        let row = self.row_of(number);
        let small = self.columns(row)[(number - row.first) as usize];
        (row.large, row.middle, small)
    }

    /// The layers of small pieces that represent the columns of a row.
    pub(super) fn columns(&self, row: &LayerRow) -> &[LayerNumber] {
        &self.groups[usize::from(row.group)].columns
    }

    pub(super) fn n_bytes(&self) -> u64 {
        // A list for each symmetry, and the columns.
        let groups = self.groups.len() * (N_SYMMETRIES + 1) * 2 * self.layers.len();
        let rows = size_of::<LayerRow>() * self.rows.capacity();
        (self.classes.n_bytes() + rows + groups) as u64
    }
}

impl Group {
    fn new(layers: &Layers, symmetries: u8) -> Group {
        let all = || 0..layers.len() as LayerNumber;
        let keeping = || (0..N_SYMMETRIES).filter(|symmetry| symmetries >> symmetry & 1 != 0);
        let stands_for = |small| {
            let images = keeping().map(|symmetry| layers.image(small, symmetry));
            images.min().expect("one symmetry moves nothing")
        };
        let columns: Vec<LayerNumber> = all().filter(|&small| stands_for(small) == small).collect();
        let column = |small| {
            let found = columns.binary_search(&stands_for(small));
            found.expect("it represents a column") as u16
        };
        let image = |symmetry| {
            all()
                .map(|small| column(layers.image(small, symmetry)))
                .collect()
        };
        Group {
            symmetries,
            images: (0..N_SYMMETRIES).map(image).collect(),
            columns,
        }
    }
}
