//! Positions: the stones, their owners, and the chains that they form.
//!
//! A stone just placed closes a global loop if two of its own neighbours belong to one chain but are on different
//! sheets; `chains` stores the sheets, [`crate::geometry`] gives the neighbours. [`crate::rules`] decides where a stone
//! may be placed.

use kit::Side;
use kit::bits::bits;

use crate::chains::{ChainJoin, Chains};
use crate::geometry::{Cell, Geometry};

/// A colour of stones. Its owner may change once, by `swap`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Colour {
    /// The stones that move first.
    X,
    /// The stones that move second.
    O,
}

impl Colour {
    /// Both colours, in the order of their first moves.
    pub const BOTH: [Colour; 2] = [Colour::X, Colour::O];

    /// The other colour.
    #[inline]
    pub const fn other(self) -> Colour {
        match self {
            Colour::X => Colour::O,
            Colour::O => Colour::X,
        }
    }

    /// 0 for `x`, 1 for `o`.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of a stone.
    pub const fn symbol(self) -> char {
        match self {
            Colour::X => 'x',
            Colour::O => 'o',
        }
    }
}

/// The stones on the board and their owners. The colours alternate, so the number of stones determines the colour to
/// move.
#[derive(Debug, Clone)]
pub struct Position {
    stones: Vec<Option<Colour>>,
    n_stones: usize,
    chains: Chains,
    pub(crate) x_owner: Side,
    pub(crate) holder: Option<Colour>,
    /// Zobrist hash of stones and owner.
    pub(crate) key: u64,
}

impl PartialEq for Position {
    /// Compares stones and owner. They determine everything else, except the shape of the chains' trees, which has no
    /// meaning.
    fn eq(&self, other: &Position) -> bool {
        (&self.stones, self.x_owner) == (&other.stones, other.x_owner)
    }
}

/// The joins made when a stone was placed: the roots of the attached chains, in the order of joining.
#[derive(Debug, Clone, Copy, Default)]
pub struct Undo {
    swallowed: [Cell; 3],
    n_swallowed: u8,
}

impl Undo {
    #[inline]
    fn push(&mut self, root: Cell) {
        self.swallowed[usize::from(self.n_swallowed)] = root;
        self.n_swallowed += 1;
    }
}

impl Position {
    /// An empty board with this number of cells.
    pub(crate) fn empty(n_cells: usize) -> Position {
        Position {
            stones: vec![None; n_cells],
            n_stones: 0,
            chains: Chains::new(n_cells),
            x_owner: Side::P1,
            holder: None,
            key: 0,
        }
    }

    /// The stone on each cell, in canonical order.
    #[inline]
    pub fn stones(&self) -> &[Option<Colour>] {
        &self.stones
    }

    /// The stone on a cell.
    #[inline]
    pub fn stone(&self, cell: Cell) -> Option<Colour> {
        self.stones[usize::from(cell)]
    }

    /// Number of stones on the board.
    #[inline]
    pub fn n_stones(&self) -> usize {
        self.n_stones
    }

    /// The colour to move.
    #[inline]
    pub fn turn(&self) -> Colour {
        Colour::BOTH[self.n_stones % 2]
    }

    /// The owner of a colour.
    #[inline]
    pub fn owner(&self, colour: Colour) -> Side {
        match colour {
            Colour::X => self.x_owner,
            Colour::O => self.x_owner.other(),
        }
    }

    /// The colour that has a global loop; `None` for an unfinished game.
    #[inline]
    pub fn holder(&self) -> Option<Colour> {
        self.holder
    }

    /// `true` if a stone of this colour on an empty cell would close a global loop.
    #[inline]
    pub fn closes_loop(&self, board: &Geometry, cell: Cell, colour: Colour) -> bool {
        let starts = self.run_starts(board, cell, colour);
        if starts & starts.wrapping_sub(1) == 0 {
            return false;
        }
        let (neighbours, crossings) = (board.neighbours(cell), board.crossings(cell));
        let way = |i: u8| {
            let (root, is_odd) = self.chains.root(neighbours[usize::from(i)]);
            (root, is_odd ^ (crossings >> i & 1 != 0))
        };
        let closes = |a: (Cell, bool), b: (Cell, bool)| a.0 == b.0 && a.1 != b.1;
        bits(starts).any(|i| bits(starts).any(|j| closes(way(i), way(j))))
    }

    /// The neighbours of a cell with a stone of this colour: bit i for the i-th.
    #[inline]
    pub(crate) fn stones_around(&self, board: &Geometry, cell: Cell, colour: Colour) -> u8 {
        let neighbours = board.neighbours(cell).iter().enumerate();
        neighbours.fold(0, |stones, (i, &next)| {
            stones | u8::from(self.stone(next) == Some(colour)) << i
        })
    }

    /// The chain of a stone, identified by one of its cells; the flag is `true` if the stone is on another sheet than the
    /// cell that identifies the chain.
    #[inline]
    pub(crate) fn chain_and_sheet(&self, cell: Cell) -> (Cell, bool) {
        self.chains.root(cell)
    }

    /// Places a stone on an empty cell. The flag is `true` if it closes a global loop.
    #[inline]
    pub(crate) fn put(&mut self, board: &Geometry, cell: Cell, colour: Colour) -> (Undo, bool) {
        self.stones[usize::from(cell)] = Some(colour);
        self.n_stones += 1;
        let (neighbours, crossings) = (board.neighbours(cell), board.crossings(cell));
        let (mut undo, mut is_loop) = (Undo::default(), false);
        for i in bits(self.run_starts(board, cell, colour)) {
            let (next, is_crossing) = (neighbours[usize::from(i)], crossings >> i & 1 != 0);
            match self.chains.join(cell, next, is_crossing) {
                ChainJoin::Joined(root) => undo.push(root),
                ChainJoin::Known => {}
                ChainJoin::Loop => is_loop = true,
            }
        }
        (undo, is_loop)
    }

    /// Removes the stone placed last.
    #[inline]
    pub(crate) fn take(&mut self, cell: Cell, undo: Undo) {
        let swallowed = &undo.swallowed[..usize::from(undo.n_swallowed)];
        for &root in swallowed.iter().rev() {
            self.chains.detach(root);
        }
        self.n_stones -= 1;
        self.stones[usize::from(cell)] = None;
    }

    /// The first stones of runs of own stones in a cell's ring: bit i for the i-th neighbour, at most three bits. The
    /// stones of a run are adjacent on one sheet, so one of them represents all.
    #[inline]
    fn run_starts(&self, board: &Geometry, cell: Cell, colour: Colour) -> u8 {
        let neighbours = board.neighbours(cell);
        let own = self.stones_around(board, cell, colour);
        let one_before = own << 1 | own >> (neighbours.len() - 1);
        match own & !one_before {
            // A full ring has no first stone, and neither has an empty one.
            0 => own & 1,
            starts => starts,
        }
    }
}
