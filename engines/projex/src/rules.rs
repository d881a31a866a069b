//! The rules: legal moves, their effects, and the end of a game.
//!
//! [`crate::board`] has the board and its tables, [`crate::position`] stores stones and chains; `notation` reads and
//! writes text.

use std::sync::{Arc, LazyLock};

use kit::hash::hash;
use kit::weights::built_in;
use kit::{Game, OptionDecl, Options, Outcome, Rejection, Side};

use crate::board::{BoardTables, Move, Projex, stone_key};
use crate::geometry::{Cell, Geometry};
use crate::policy::Policy;
use crate::position::{Colour, Position, Undo};

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
        check(self, position, mv)
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

/// Checks a move of the side to move.
fn check(game: &Projex, position: &Position, mv: Move) -> Result<(), Rejection> {
    let is_legal = match mv {
        Move::Swap => game.can_swap(position),
        Move::Place(cell) => position.stone(cell).is_none(),
    };
    if is_legal {
        return Ok(());
    }
    Err(match mv {
        Move::Place(cell) if position.stone(cell) == Some(position.turn()) => {
            "the cell holds your own stone".into()
        }
        Move::Place(_) => "the cell holds your opponent's stone".into(),
        Move::Swap if !game.has_swap => "the option Swap is off in this game".into(),
        Move::Swap if position.owner(Colour::X) == Side::P2 => {
            "the colours have been exchanged already".into()
        }
        Move::Swap => {
            let number = position.n_stones() + 1;
            format!("swap can only be the fourth move, and this is move {number}").into()
        }
    })
}
