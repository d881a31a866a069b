//! The rules: legal moves, their effects, and the end of the game.
//!
//! [`Gobblet`] implements [`Game`]. Moves are generated from sets of squares; `legality` states the same rules
//! independently, square by square, and explains violations.

use kit::hash::hash;
use kit::{Game, OptionDecl, Options, Outcome, Rejection, Side};

use crate::legality;
use crate::pieces::{N_BITS, Pieces, Square};
use crate::position::{Gobblet, Move, Origin, Position, REPETITIONS, SIZE};

impl Game for Gobblet {
    const NAME: &'static str = "gobblet";

    type Position = Position;
    type Move = Move;
    /// The reversible plies before the move.
    type Undo = u32;

    fn options() -> Vec<OptionDecl> {
        vec![OptionDecl::spin(SIZE, 3, 3, 4)]
    }

    fn new(options: &Options) -> Gobblet {
        Gobblet::with_width(options.spin(SIZE) as u8)
    }

    fn start(&self) -> Position {
        Position {
            pieces: Pieces::default(),
            side: Side::P1,
            reversible: 0,
        }
    }

    fn side(&self, position: &Position) -> Side {
        position.side
    }

    /// A line of the opponent that a move exposes takes precedence over one that the move completes.
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let visible = position.pieces.visible();
        let mover = position.side.other();
        [mover.other(), mover]
            .into_iter()
            .find(|&side| self.board.has_line(visible.of(side)))
            .map(Outcome::Win)
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        self.movable(position).for_each(|(from, targets)| {
            moves.extend(Square::of(targets).map(|to| Move { from, to }));
        });
    }

    fn count_moves(&self, position: &Position) -> usize {
        let movable = self.movable(position);
        movable
            .map(|(_, targets)| targets.count_ones() as usize)
            .sum()
    }

    fn check(&self, position: &Position, mv: Move) -> Result<(), Rejection> {
        legality::check(self, position, mv)
    }

    fn play(&self, position: &mut Position, mv: Move) -> u32 {
        let Position {
            pieces,
            side,
            reversible,
        } = position;
        let before = *reversible;
        let size = match mv.from {
            Origin::Reserve(size) => {
                *reversible = 0;
                size
            }
            Origin::Square(from) => {
                *reversible = before.saturating_add(1);
                pieces.lift(*side, from)
            }
        };
        pieces.put(*side, size, mv.to);
        *side = side.other();
        before
    }

    fn undo(&self, position: &mut Position, mv: Move, reversible: u32) {
        position.side = position.side.other();
        position.reversible = reversible;
        let size = position.pieces.lift(position.side, mv.to);
        if let Origin::Square(from) = mv.from {
            position.pieces.put(position.side, size, from);
        }
    }

    fn rules_key(&self) -> u64 {
        hash([self.board.width().into()])
    }

    fn key(&self, position: &Position) -> u64 {
        position.pieces.hash(position.side.index() as u64)
    }

    fn repetition_limit(&self) -> Option<usize> {
        Some(REPETITIONS)
    }

    fn reversible_plies(&self, position: &Position) -> usize {
        position.reversible as usize
    }

    fn move_index(&self, mv: Move) -> usize {
        let from = match mv.from {
            Origin::Square(square) => square.index(),
            Origin::Reserve(size) => N_BITS - 1 + usize::from(size),
        };
        from * N_BITS + mv.to.index()
    }

    fn n_move_indices(&self) -> usize {
        (N_BITS + usize::from(self.largest())) * N_BITS
    }
}
