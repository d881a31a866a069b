//! Indexing of live boards up to symmetry.

use kit::bits::bits;
use kit::tablebase::{SymmetryClass, SymmetryClasses};

use crate::cells::cells_in;
use crate::geometry::Geometry;

/// A set of cells of the board, one bit each.
pub(super) type Mask = u32;

/// The stones of a board that are the mover's, one bit each in the order of their cells.
pub(super) type Colouring = u16;

/// Number of cells of the board.
pub(super) const N_CELLS: usize = 19;
/// Stones on the fullest live board: with fewer than four empty cells, some stone has no empty neighbour.
pub(super) const MAX_STONES: usize = 15;

const N_SYMMETRIES: usize = 12;

/// The indexing of live boards.
#[derive(Debug)]
pub(super) struct Boards {
    pub(super) near: [Mask; N_CELLS],
    /// For each symmetry, the image of each cell.
    symmetries: Vec<[u8; N_CELLS]>,
    /// The classes of live sets of cells.
    sets: SymmetryClasses,
    classes: Vec<Class>,
    /// The classes by number of stones, in order.
    by_stones: Vec<Vec<u32>>,
    /// Number of boards by number of stones.
    counts: [u64; MAX_STONES + 1],
}

/// A class of live sets that are symmetric to each other.
#[derive(Debug)]
pub(super) struct Class {
    /// The representative of the class, whose boards are indexed.
    pub(super) set: Mask,
    /// Index of its first board among those with the same number of stones.
    pub(super) first: u64,
    pub(super) n_boards: u64,
    /// For a set that is symmetric itself: the board of each colouring, and the first colouring of each board.
    symmetric: Option<Box<Symmetric>>,
}

#[derive(Debug)]
struct Symmetric {
    boards: Vec<u16>,
    colourings: Vec<Colouring>,
}

impl Boards {
    pub(super) fn new(geometry: &Geometry) -> Boards {
        let symmetries = symmetries(geometry);
        let near = std::array::from_fn(|cell| {
            let near = cells_in(geometry.near(cell as u8), cell as u8);
            near.fold(0, |mask, other| mask | 1 << other)
        });
        let live = (0..1 << N_CELLS).filter(|&set| surrounded(&near, set) == 0);
        let image = |set, symmetry: usize| image(&symmetries[symmetry], set);
        let keys = (1 << N_CELLS, |set| set as usize);
        let mut boards = Boards {
            near,
            sets: SymmetryClasses::new(live, keys, (N_SYMMETRIES, image)),
            symmetries,
            classes: Vec::new(),
            by_stones: vec![Vec::new(); MAX_STONES + 1],
            counts: [0; MAX_STONES + 1],
        };
        for number in 0..boards.sets.classes().len() {
            boards.add_class(number, boards.sets.classes()[number]);
        }
        boards
    }

    /// The stones without an empty neighbour, if these cells are occupied.
    #[inline]
    pub(super) fn surrounded(&self, set: Mask) -> Mask {
        surrounded(&self.near, set)
    }

    fn add_class(&mut self, number: usize, class: SymmetryClass) {
        let set = class.first;
        let n_stones = set.count_ones() as usize;
        let keeping: Vec<usize> = cells(class.keeping.into()).collect();
        let symmetric = (keeping.len() > 1).then(|| Box::new(self.symmetric(set, &keeping)));
        let n_boards = match &symmetric {
            Some(symmetric) => symmetric.colourings.len() as u64,
            None => 1 << n_stones,
        };
        self.classes.push(Class {
            set,
            first: self.counts[n_stones],
            n_boards,
            symmetric,
        });
        self.by_stones[n_stones].push(number as u32);
        self.counts[n_stones] += n_boards;
    }

    /// The boards of a set that these symmetries leave unchanged.
    fn symmetric(&self, set: Mask, keeping: &[usize]) -> Symmetric {
        let n_colourings = 1 << set.count_ones();
        let mut boards = vec![u16::MAX; n_colourings];
        let mut colourings = Vec::new();
        for colouring in 0..n_colourings as u32 {
            if boards[colouring as usize] != u16::MAX {
                continue;
            }
            let own = spread(colouring as Colouring, set);
            for &i in keeping {
                let image = gather(image(&self.symmetries[i], own), set);
                boards[usize::from(image)] = colourings.len() as u16;
            }
            colourings.push(colouring as Colouring);
        }
        Symmetric { boards, colourings }
    }

    /// Number of boards with this number of stones.
    pub(super) fn count(&self, n_stones: usize) -> u64 {
        self.counts[n_stones]
    }

    /// Index of a board among those with the same number of stones; `None` if a stone is surrounded.
    pub(super) fn number(&self, own: Mask, theirs: Mask) -> Option<u64> {
        let (class, map) = self.class_of(own | theirs)?;
        Some(class.first + class.board(gather(image(map, own), class.set)))
    }

    /// The class of a live set, and the image of each cell under the symmetry to the class's representative.
    #[inline]
    pub(super) fn class_of(&self, set: Mask) -> Option<(&Class, &[u8; N_CELLS])> {
        let (class, symmetry) = self.sets.of(set as usize)?;
        Some((&self.classes[class], &self.symmetries[symmetry]))
    }

    /// The class of a board among those with this number of stones.
    pub(super) fn class_at(&self, n_stones: usize, board: u64) -> &Class {
        let classes = &self.by_stones[n_stones];
        let begins = |&class: &u32| self.classes[class as usize].first <= board;
        &self.classes[classes[classes.partition_point(begins) - 1] as usize]
    }

    /// The stones of a board: the mover's and the opponent's.
    pub(super) fn board(&self, n_stones: usize, board: u64) -> (Mask, Mask) {
        let class = self.class_at(n_stones, board);
        let own = spread(class.colouring(board - class.first), class.set);
        (own, class.set & !own)
    }

    pub(super) fn n_bytes(&self) -> u64 {
        let symmetric = self
            .classes
            .iter()
            .filter_map(|class| class.symmetric.as_ref());
        let lists = symmetric.map(|lists| 2 * (lists.boards.len() + lists.colourings.len()));
        let classes = self.classes.len() * (size_of::<Class>() + size_of::<u32>());
        (self.sets.n_bytes() + classes + lists.sum::<usize>()) as u64
    }
}

impl Class {
    /// The board of a colouring, counted from 0 in this class.
    #[inline]
    pub(super) fn board(&self, colouring: Colouring) -> u64 {
        match &self.symmetric {
            None => colouring.into(),
            Some(symmetric) => symmetric.boards[usize::from(colouring)].into(),
        }
    }

    /// A colouring of a board of this class.
    #[inline]
    pub(super) fn colouring(&self, board: u64) -> Colouring {
        match &self.symmetric {
            None => board as Colouring,
            Some(symmetric) => symmetric.colourings[board as usize],
        }
    }
}

/// The stones without an empty neighbour, given the neighbours of each cell and the occupied cells.
fn surrounded(near: &[Mask; N_CELLS], set: Mask) -> Mask {
    cells(set)
        .filter(|&cell| near[cell] & !set == 0)
        .fold(0, |mask, cell| mask | 1 << cell)
}

/// The image of a set under a symmetry.
fn image(symmetry: &[u8; N_CELLS], set: Mask) -> Mask {
    cells(set).fold(0, |image, cell| image | 1 << symmetry[cell])
}

/// The cells of a set, ascending.
pub(super) fn cells(set: Mask) -> impl Iterator<Item = usize> {
    bits(set).map(usize::from)
}

/// The cells of a set whose bits are set in a colouring.
fn spread(colouring: Colouring, set: Mask) -> Mask {
    let chosen = cells(set)
        .enumerate()
        .filter(|&(i, _)| colouring >> i & 1 != 0);
    chosen.fold(0, |mask, (_, cell)| mask | 1 << cell)
}

/// The colouring of a set in which these cells are the mover's.
fn gather(own: Mask, set: Mask) -> Colouring {
    let stones = cells(set).enumerate();
    stones.fold(0, |colouring, (i, cell)| {
        colouring | ((own >> cell & 1) as Colouring) << i
    })
}

/// The symmetries: six rotations, each also mirrored. A cell is represented by three coordinates with the sum 0, one
/// for each direction of rows.
fn symmetries(geometry: &Geometry) -> Vec<[u8; N_CELLS]> {
    let centre = geometry.size as i8 - 1;
    let place = |cell: u8| {
        let (row, k) = geometry.coordinates(cell);
        let (down, right) = (row as i8 - centre, k as i8 - 1 - (row as i8).min(centre));
        [right, down, -right - down]
    };
    let cell_at = |at: [i8; 3]| {
        let found = geometry.cells().find(|&cell| place(cell) == at);
        found.expect("a symmetry keeps the board")
    };
    let mut symmetries = Vec::new();
    for is_mirrored in [false, true] {
        for turns in 0..6 {
            symmetries.push(std::array::from_fn(|cell| {
                let [mut a, mut b, mut c] = place(cell as u8);
                if is_mirrored {
                    (a, b) = (b, a);
                }
                for _ in 0..turns {
                    (a, b, c) = (-b, -c, -a);
                }
                cell_at([a, b, c])
            }));
        }
    }
    symmetries
}
