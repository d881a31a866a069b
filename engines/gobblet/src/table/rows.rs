//! Rows and columns: the indices of positions up to symmetry.

use super::layers::{LayerNumber, Layers, N_SYMMETRIES};

/// The indexing of rows and columns.
#[derive(Debug)]
pub(super) struct LayerRows {
    pub(super) layers: Layers,
    /// For each pair of layers of large and middle pieces, its row and the symmetry that maps the pair to the row's
    /// representative: `row << 3 | symmetry`.
    rows_of: Vec<u32>,
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
        let n = layers.len();
        let mut rows = LayerRows {
            layers,
            rows_of: vec![u32::MAX; n * n],
            rows: Vec::new(),
            groups: Vec::new(),
            n_indices: 0,
        };
        for large in 0..n as LayerNumber {
            for middle in 0..n as LayerNumber {
                if rows.rows_of[rows.pair(large, middle)] == u32::MAX {
                    rows.add_row(large, middle);
                }
            }
        }
        rows
    }

    fn add_row(&mut self, large: LayerNumber, middle: LayerNumber) {
        let layers = &self.layers;
        let image = |symmetry| {
            (
                layers.image(large, symmetry),
                layers.image(middle, symmetry),
            )
        };
        let number = self.rows.len() as u32;
        let mut keeping = 0;
        for symmetry in 0..N_SYMMETRIES {
            let (large_image, middle_image) = image(symmetry);
            if (large_image, middle_image) == (large, middle) {
                keeping |= 1 << symmetry;
            }
            let back = (0..N_SYMMETRIES).find(|&back| {
                let back = |image| layers.image(image, back);
                (back(large_image), back(middle_image)) == (large, middle)
            });
            let back = back.expect("symmetries are a group") as u32;
            let pair = self.pair(large_image, middle_image);
            self.rows_of[pair] = number << 3 | back;
        }
        let group = self.group(keeping);
        self.rows.push(LayerRow {
            large,
            middle,
            group,
            first: self.n_indices,
        });
        self.n_indices += self.groups[usize::from(group)].columns.len() as u64;
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

    #[inline]
    fn pair(&self, large: LayerNumber, middle: LayerNumber) -> usize {
        usize::from(large) * self.layers.len() + usize::from(middle)
    }

    /// The positions with these larger layers.
    pub(super) fn target(&self, large: LayerNumber, middle: LayerNumber) -> Target<'_> {
        let found = self.rows_of[self.pair(large, middle)];
        let row = &self.rows[(found >> 3) as usize];
        Target {
            first: row.first,
            columns: &self.groups[usize::from(row.group)].images[(found & 7) as usize],
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
        (size_of::<u32>() * self.rows_of.len() + rows + groups) as u64
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
