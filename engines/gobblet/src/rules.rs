//! The rules: legal moves, their effects, and the end of the game.
//!
//! [`Gobblet`] implements [`Game`]. Moves are generated from sets of squares; `legality` states the same rules
//! independently, square by square, and explains violations.

use kit::hash::hash;
use kit::{Game, OptionDecl, Options, Outcome, Rejection, Side};

use crate::legality;
use crate::pieces::{N_BITS, Pieces, Square, Squares};
use crate::position::{Gobblet, Move, Origin, Position, REPETITIONS, SIZE};

impl Game for Gobblet {
    const NAME: &'static str = "gobblet";

    type Position = Position;
    type Move = Move;
    /// The position before the move.
    type Undo = Position;

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
            .find(|&side| self.board.has_line(visible[side.index()]))
            .map(Outcome::Win)
    }

    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        self.movable(position).for_each(|(from, targets)| {
            moves.extend(Square::of(targets).map(|to| Move { from, to }));
        });
    }

    fn count_moves(&self, position: &Position) -> usize {
        let n_targets = |(_, targets): (_, Squares)| targets.count_ones() as usize;
        self.movable(position).map(n_targets).sum()
    }

    fn check(&self, position: &Position, mv: Move) -> Result<(), Rejection> {
        legality::check(self, position, mv)
    }

    fn play(&self, position: &mut Position, mv: Move) -> Position {
        let before = *position;
        let size = match mv.from {
            Origin::Reserve(size) => {
                position.reversible = 0;
                size
            }
            Origin::Square(from) => {
                position.reversible = before.reversible.saturating_add(1);
                position.pieces.lift(before.side, from)
            }
        };
        position.pieces.put(before.side, size, mv.to);
        position.side = before.side.other();
        before
    }

    fn undo(&self, position: &mut Position, _: Move, before: Position) {
        *position = before;
    }

    fn rules_key(&self) -> u64 {
        hash([self.board.width.into()])
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
