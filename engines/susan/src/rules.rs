//! The rules: positions, moves, and the end of the game.
//!
//! Moves are played and taken back in place, and each move is adjudicated at once. A move can only surround the moved
//! stone and its neighbours, so [`play`](Game::play) tests only these.

use std::sync::Arc;

use kit::hash::{hash, mix};
use kit::network::Network;
use kit::{Game, OptionDecl, OptionKind, Options, Outcome, Rejection, Side};

use crate::cells::{CENTRE, Cell, Cells, Window, bits, cell_at, cells_in};
use crate::eval::learned;
use crate::geometry::Geometry;
use crate::legality;

/// The smallest and the largest size of a board.
pub(crate) const MIN_SIZE: u8 = 3;
pub(crate) const MAX_SIZE: u8 = 8;

/// The origin of a placed stone; not the number of any cell.
const OFF_BOARD: Cell = Cell::MAX;

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
    outcome: Option<Outcome>,
    /// Zobrist hash of the stones.
    key: u64,
}

/// A move of the side to move: a stone goes to a cell, from another cell or from off the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    from: Cell,
    to: Cell,
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
    #[inline]
    pub const fn place(to: Cell) -> Move {
        Move {
            from: OFF_BOARD,
            to,
        }
    }

    /// The slide of a stone to another cell.
    #[inline]
    pub const fn slide(from: Cell, to: Cell) -> Move {
        Move { from, to }
    }

    /// The origin of a slide; `None` for a placement.
    #[inline]
    pub fn from(self) -> Option<Cell> {
        (self.from != OFF_BOARD).then_some(self.from)
    }

    /// The cell that the move fills.
    #[inline]
    pub const fn to(self) -> Cell {
        self.to
    }
}

impl Susan {
    /// The same rules on a board of `size` cells per side.
    pub(crate) fn resized(&self, size: u8) -> Susan {
        if size == self.board.size() {
            return self.clone();
        }
        Susan {
            board: Arc::new(Geometry::new(size)),
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
    #[inline]
    pub(crate) fn liberties(&self, empty: &Cells, cell: Cell) -> Window {
        self.board.near(cell) & empty.window(cell)
    }

    /// For each player, `true` if a stone is surrounded after a stone came to `cell`; only that stone and its
    /// neighbours can be.
    #[inline]
    fn surrounded_near(&self, position: &Position, cell: Cell) -> [bool; 2] {
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
    #[inline]
    fn judge(&self, position: &Position, surrounded: [bool; 2]) -> Option<Outcome> {
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
    #[inline]
    fn flip(&self, position: &mut Position, side: Side, mv: Move) {
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

impl Game for Susan {
    const NAME: &'static str = "susan";
    type Position = Position;
    type Move = Move;
    /// The number of consecutive slides before the move.
    type Undo = u64;

    fn options() -> Vec<OptionDecl> {
        let spin = |default, min, max| OptionKind::Spin { default, min, max };
        let option = |name: &str, kind| OptionDecl {
            name: name.to_owned(),
            kind,
        };
        let repetition = OptionKind::Combo {
            default: "off".to_owned(),
            choices: ["off", "2", "3", "4", "5"].map(str::to_owned).to_vec(),
        };
        vec![
            option("Size", spin(5, MIN_SIZE.into(), MAX_SIZE.into())),
            option("SlideLimit", spin(6, 0, 99)),
            option("Repetition", repetition),
        ]
    }

    fn new(options: &Options) -> Susan {
        Susan {
            board: Arc::new(Geometry::new(options.spin("Size") as u8)),
            network: learned(),
            slide_limit: options.spin("SlideLimit") as u64,
            repetition: options.text("Repetition").parse().ok(),
        }
    }

    fn start(&self) -> Position {
        self.position([Cells::default(); 2], Side::P1, 0)
    }

    #[inline]
    fn side(&self, position: &Position) -> Side {
        position.side
    }

    #[inline]
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        position.outcome
    }

    #[inline]
    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        moves.extend(position.empty.iter().map(Move::place));
        for from in position.stones[position.side.index()].iter() {
            let liberties = self.liberties(&position.empty, from);
            moves.extend(cells_in(liberties, from).map(|to| Move::slide(from, to)));
        }
    }

    fn count_moves(&self, position: &Position) -> usize {
        let stones = position.stones[position.side.index()].iter();
        let slides = stones.map(|from| self.liberties(&position.empty, from).count_ones());
        position.empty.len() + slides.sum::<u32>() as usize
    }

    fn check(&self, position: &Position, mv: Move) -> Result<(), Rejection> {
        legality::check(self, position, mv)
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) -> u64 {
        let before = position.slides;
        position.slides = match mv.from() {
            None => 0,
            Some(_) => before.saturating_add(1),
        };
        self.flip(position, position.side, mv);
        position.side = position.side.other();
        let surrounded = self.surrounded_near(position, mv.to);
        position.outcome = self.judge(position, surrounded);
        before
    }

    #[inline]
    fn undo(&self, position: &mut Position, mv: Move, slides: u64) {
        position.side = position.side.other();
        self.flip(position, position.side, mv);
        position.slides = slides;
        // The position before a move was not finished.
        position.outcome = None;
    }

    fn rules_key(&self) -> u64 {
        let repetition = self.repetition.unwrap_or(0) as u64;
        hash([self.board.size().into(), self.slide_limit, repetition])
    }

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        position.key ^ self.board.turn_key(position.side)
    }

    fn search_key(&self, position: &Position) -> u64 {
        let slides = position.slides.min(self.slide_limit);
        self.key(position) ^ mix(slides)
    }

    fn repetition_limit(&self) -> Option<usize> {
        self.repetition
    }

    fn reversible_plies(&self, position: &Position) -> usize {
        usize::try_from(position.slides).unwrap_or(usize::MAX)
    }

    /// Seven indices per cell: one for each direction of a slide from it, and one for a placement.
    fn move_index(&self, mv: Move) -> usize {
        let (cell, way) = match mv.from() {
            None => (mv.to, 0),
            Some(from) => (from, 1 + direction(from, mv.to)),
        };
        7 * usize::from(cell) + usize::from(way)
    }

    fn n_move_indices(&self) -> usize {
        7 * self.board.cells().len()
    }
}

/// A number below 6 for the direction from a cell to its neighbour.
#[inline]
fn direction(from: Cell, to: Cell) -> u8 {
    let down = 3 * u8::from(from < to);
    match from.abs_diff(to) {
        1 => down,
        // The two neighbours in the next row have consecutive numbers, one of which is even.
        apart => down + 1 + apart % 2,
    }
}
