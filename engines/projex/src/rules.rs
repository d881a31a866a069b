//! The game on a board of one size: its moves, the rules, and the end of a game.
//!
//! [`crate::position`] stores stones and chains; `notation` reads and writes text.

use std::sync::{Arc, LazyLock, OnceLock};

use kit::hash::{hash, zobrist};
use kit::weights::built_in;
use kit::{Game, OptionDecl, Options, Outcome, Rejection, Side};

use crate::geometry::{Cell, Geometry};
use crate::loop_tables::LoopTables;
use crate::policy::Policy;
use crate::position::{Colour, Position, Undo};
use crate::surroundings::Surroundings;

/// A move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// Places a stone of the colour to move.
    Place(Cell),
    /// The two players exchange their colours.
    Swap,
}

impl Move {
    /// The move with this [index](kit::Game::move_index).
    #[inline]
    pub(crate) fn at(index: usize, board: &Geometry) -> Move {
        match index < board.n_cells() {
            true => Move::Place(index as Cell),
            false => Move::Swap,
        }
    }
}

/// The game on a board of one size.
#[derive(Debug, Clone)]
pub struct Projex {
    pub(crate) tables: Arc<BoardTables>,
    pub(crate) has_swap: bool,
    pub(crate) policy: Arc<Policy>,
}

#[derive(Debug)]
pub(crate) struct BoardTables {
    board: Geometry,
    pub(crate) loop_tables: LoopTables,
    symmetries: Vec<Vec<Cell>>,
    pub(crate) surroundings: Surroundings,
}

/// The policy trained by `linesman-lab learn`; `spec/lab.md` gives the command.
static POLICY: LazyLock<Arc<Policy>> = LazyLock::new(|| built_in(include_bytes!("projex.policy")));

impl Game for Projex {
    const NAME: &'static str = "projex";

    type Position = Position;
    type Move = Move;
    type Undo = Undo;

    fn options() -> Vec<OptionDecl> {
        let [min, max] = [Geometry::SIZES.start(), Geometry::SIZES.end()];
        vec![
            OptionDecl::spin("Size", 7, (*min).into(), (*max).into()),
            OptionDecl::check("Swap", true),
        ]
    }

    fn new(options: &Options) -> Projex {
        let size = i32::try_from(options.spin("Size")).expect("the declared range is small");
        Projex {
            tables: BoardTables::of(size),
            has_swap: options.check("Swap"),
            policy: Arc::clone(&POLICY),
        }
    }

    fn start(&self) -> Position {
        Position::empty(self.board().n_cells())
    }

    #[inline]
    fn side(&self, position: &Position) -> Side {
        position.owner(position.turn())
    }

    #[inline]
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let win = |colour| Outcome::Win(position.owner(colour));
        position.holder().map(win)
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        let is_empty = |&cell: &Cell| position.stone(cell).is_none();
        moves.extend(self.board().cells().filter(is_empty).map(Move::Place));
        if self.can_swap(position) {
            moves.push(Move::Swap);
        }
    }

    fn count_moves(&self, position: &Position) -> usize {
        let n_empty = self.board().n_cells() - position.n_stones();
        n_empty + usize::from(self.can_swap(position))
    }

    fn check(&self, position: &Position, mv: Move) -> Result<(), Rejection> {
        let stone = match mv {
            Move::Place(cell) => position.stone(cell),
            Move::Swap => None,
        };
        Err(match mv {
            Move::Place(_) if stone.is_none() => return Ok(()),
            Move::Swap if self.can_swap(position) => return Ok(()),
            Move::Place(_) if stone == Some(position.turn()) => {
                "the cell holds your own stone".into()
            }
            Move::Place(_) => "the cell holds your opponent's stone".into(),
            Move::Swap if !self.has_swap => "the option Swap is off in this game".into(),
            Move::Swap if position.owner(Colour::X) == Side::P2 => {
                "the colours have been exchanged already".into()
            }
            Move::Swap => {
                let number = position.n_stones() + 1;
                format!("swap can only be the fourth move, and this is move {number}").into()
            }
        })
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) -> Undo {
        match mv {
            Move::Place(cell) => self.put(position, cell, position.turn()),
            Move::Swap => {
                self.exchange(position);
                Undo::default()
            }
        }
    }

    #[inline]
    fn undo(&self, position: &mut Position, mv: Move, undo: Undo) {
        let Move::Place(cell) = mv else {
            return self.exchange(position);
        };
        position.take(cell, undo);
        position.holder = None;
        position.key ^= stone_key(cell, position.turn());
    }

    fn rules_key(&self) -> u64 {
        let size = self.board().size();
        hash([size as u64, self.has_swap.into()])
    }

    fn key(&self, position: &Position) -> u64 {
        position.key
    }

    fn move_index(&self, mv: Move) -> usize {
        match mv {
            Move::Place(cell) => cell.into(),
            Move::Swap => self.board().n_cells(),
        }
    }

    fn n_move_indices(&self) -> usize {
        self.board().n_cells() + 1
    }
}

/// Number of stones on the board when `swap` is legal: it can only be the fourth move.
pub(crate) const SWAP_AFTER: usize = 3;

impl Projex {
    /// The board.
    #[inline]
    pub fn board(&self) -> &Geometry {
        &self.tables.board
    }

    /// The smallest of the keys of all positions that are symmetric to this one.
    pub(crate) fn smallest_key(&self, position: &Position) -> u64 {
        let swapped = match position.x_owner {
            Side::P1 => 0,
            Side::P2 => SWAP_KEY,
        };
        let key = |images: &Vec<Cell>| {
            let stones = images.iter().zip(position.stones());
            let keys = stones.filter_map(|(&cell, stone)| Some(stone_key(cell, (*stone)?)));
            keys.fold(swapped, |key, stone| key ^ stone)
        };
        let keys = self.tables.symmetries.iter().map(key);
        keys.min().expect("the identity is a symmetry")
    }

    /// The same rules on a board of another size.
    pub(crate) fn resized(&self, size: i32) -> Projex {
        if size == self.board().size() {
            return self.clone();
        }
        Projex {
            tables: BoardTables::of(size),
            ..self.clone()
        }
    }

    /// The position with these stones. At most one colour has a loop, because two global loops always cross.
    pub(crate) fn set_up(&self, stones: &[Option<Colour>], x_owner: Side) -> Position {
        let mut position = Position::empty(self.board().n_cells());
        for (cell, &stone) in (0..).zip(stones) {
            if let Some(colour) = stone {
                self.put(&mut position, cell, colour);
            }
        }
        if x_owner == Side::P2 {
            self.exchange(&mut position);
        }
        position
    }

    /// `true` if `swap` is legal.
    #[inline]
    pub(crate) fn can_swap(&self, position: &Position) -> bool {
        self.has_swap && position.n_stones() == SWAP_AFTER && position.x_owner == Side::P1
    }

    #[inline]
    pub(crate) fn put(&self, position: &mut Position, cell: Cell, colour: Colour) -> Undo {
        let (undo, is_loop) = position.put(self.board(), cell, colour);
        if is_loop {
            position.holder = Some(colour);
        }
        position.key ^= stone_key(cell, colour);
        undo
    }

    pub(crate) fn exchange(&self, position: &mut Position) {
        position.x_owner = position.x_owner.other();
        position.key ^= SWAP_KEY;
    }
}

/// Zobrist key of exchanged colours; the stones have the preceding keys.
const SWAP_KEY: u64 = zobrist(1 << 32);

pub(crate) fn stone_key(cell: Cell, colour: Colour) -> u64 {
    zobrist(2 * u64::from(cell) + colour.index() as u64)
}

/// The tables of each size of [`Geometry::SIZES`], once a game has used it: they take milliseconds.
static TABLES: [OnceLock<Arc<BoardTables>>; 12] = [const { OnceLock::new() }; 12];

impl BoardTables {
    pub(crate) fn of(size: i32) -> Arc<BoardTables> {
        let place = usize::try_from(size - Geometry::SIZES.start()).expect("a size of a board");
        let tables = &TABLES[place];
        Arc::clone(tables.get_or_init(|| Arc::new(BoardTables::new(size))))
    }

    fn new(size: i32) -> BoardTables {
        let board = Geometry::new(size);
        BoardTables {
            loop_tables: LoopTables::new(&board),
            symmetries: board.symmetries(),
            surroundings: Surroundings::new(&board),
            board,
        }
    }
}
