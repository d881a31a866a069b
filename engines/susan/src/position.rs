//! The game on one board, its positions and its moves.

use std::sync::{Arc, OnceLock};

use kit::bits::bits;
use kit::fen::counted;
use kit::network::Network;
use kit::{Outcome, Side};

use crate::cells::{CENTRE, Cell, Cells, Window, cell_at};
use crate::geometry::Geometry;

/// The smallest and the largest size of a board.
pub(crate) const MIN_SIZE: u8 = 3;
pub(crate) const MAX_SIZE: u8 = 8;

/// The letters of the players' stones.
pub(crate) const LETTERS: [char; 2] = ['x', 'o'];

/// The letter of a player's stones, in text and drawings.
pub(crate) fn letter(side: Side) -> char {
    LETTERS[side.index()]
}

/// A count of consecutive slides in words.
pub(crate) fn slides(count: u64) -> String {
    format!("{} in a row", counted(count as usize, "slide"))
}

/// The origin of a placed stone; not the number of any cell.
const OFF_BOARD: Cell = Cell::MAX;

/// The board with `size` cells per side, which is made once: each game of a match has one.
pub(crate) fn board(size: u8) -> Arc<Geometry> {
    static BOARDS: [OnceLock<Arc<Geometry>>; MAX_SIZE as usize + 1] =
        [const { OnceLock::new() }; MAX_SIZE as usize + 1];
    let board = BOARDS[usize::from(size)].get_or_init(|| Arc::new(Geometry::new(size)));
    Arc::clone(board)
}

/// SUSAN on a board of one size, with its draw rules.
#[derive(Debug, Clone)]
pub struct Susan {
    pub(crate) board: Arc<Geometry>,
    pub(crate) network: Arc<Network>,
    /// Number of consecutive slides that draw; 0 for no limit.
    pub(crate) slide_limit: u64,
    /// The number of occurrences at which a position is a draw.
    pub(crate) repetition: Option<usize>,
}

/// The stones on the board, the player to move, and the outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The stones of each player.
    pub(crate) stones: [Cells; 2],
    pub(crate) empty: Cells,
    pub(crate) side: Side,
    /// Number of consecutive slides up to now.
    pub(crate) slides: u64,
    pub(crate) outcome: Option<Outcome>,
    /// Zobrist hash of the stones.
    pub(crate) key: u64,
}

/// A move of the side to move: a stone goes to a cell, from another cell or from off the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    from: Cell,
    /// The cell that the move fills.
    pub to: Cell,
}

impl Position {
    /// The owner of the stone on a cell.
    pub(crate) fn stone(&self, cell: Cell) -> Option<Side> {
        let has_stone = |side: &Side| self.stones[side.index()].has(cell);
        Side::BOTH.into_iter().find(has_stone)
    }
}

impl Move {
    /// The placement of a new stone.
    pub const fn place(to: Cell) -> Move {
        Move {
            from: OFF_BOARD,
            to,
        }
    }

    /// The slide of a stone to another cell.
    pub const fn slide(from: Cell, to: Cell) -> Move {
        Move { from, to }
    }

    /// The origin of a slide; `None` for a placement.
    pub fn from(self) -> Option<Cell> {
        (self.from != OFF_BOARD).then_some(self.from)
    }
}

impl Susan {
    /// The same rules on a board of `size` cells per side.
    pub(crate) fn resized(&self, size: u8) -> Susan {
        if size == self.board.size {
            return self.clone();
        }
        Susan {
            board: board(size),
            ..self.clone()
        }
    }

    /// The position with these stones, adjudicated as if the player not to move had just moved.
    pub(crate) fn position(&self, stones: [Cells; 2], side: Side, slides: u64) -> Position {
        let is_empty = |cell: &Cell| !stones.iter().any(|stones| stones.has(*cell));
        let mut position = Position {
            stones,
            empty: self.board.cells().filter(is_empty).collect(),
            side,
            slides,
            outcome: None,
            key: 0,
        };
        let mut surrounded = [false; 2];
        for side in Side::BOTH {
            for cell in stones[side.index()].iter() {
                position.key ^= self.board.key(side, cell);
                surrounded[side.index()] |= self.liberties(&position.empty, cell) == 0;
            }
        }
        position.outcome = self.judge(&position, surrounded);
        position
    }

    /// The empty neighbours of a cell, in the window around it.
    pub(crate) fn liberties(&self, empty: &Cells, cell: Cell) -> Window {
        self.board.near(cell) & empty.window(cell)
    }

    /// For each player, `true` if a stone is surrounded after a stone came to `cell`; only that stone and its
    /// neighbours can be.
    pub(crate) fn surrounded_near(&self, position: &Position, cell: Cell) -> [bool; 2] {
        let near = self.board.near(cell);
        let empty = position.empty.window(cell);
        let mut surrounded = [false; 2];
        let mut note = |stone| surrounded[usize::from(position.stones[1].has(stone))] = true;
        if near & empty == 0 {
            note(cell);
        }
        for bit in bits(near & !empty) {
            let stone = cell_at(bit, cell);
            // Shifted to the window around `cell`, which is wide enough for all of them.
            let near = self.board.near(stone).rotate_left(u32::from(bit + CENTRE));
            if near & empty == 0 {
                note(stone);
            }
        }
        surrounded
    }

    /// The outcome after a move of the player not to move.
    pub(crate) fn judge(&self, position: &Position, surrounded: [bool; 2]) -> Option<Outcome> {
        let (mover, opponent) = (position.side.other(), position.side);
        if surrounded[mover.index()] {
            Some(Outcome::Win(opponent))
        } else if surrounded[opponent.index()] {
            Some(Outcome::Win(mover))
        } else {
            let is_drawn = self.slide_limit > 0 && position.slides >= self.slide_limit;
            is_drawn.then_some(Outcome::Draw)
        }
    }

    /// Makes or takes back a move of `side` on the board.
    pub(crate) fn flip(&self, position: &mut Position, side: Side, mv: Move) {
        let mut flip = |cell| {
            position.stones[side.index()].flip(cell);
            position.empty.flip(cell);
            position.key ^= self.board.key(side, cell);
        };
        flip(mv.to);
        if let Some(from) = mv.from() {
            flip(from);
        }
    }
}
