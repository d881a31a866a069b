//! The rules: positions, moves, and lines.
//!
//! [`Gobblet`] implements [`Game`]. Moves are generated from sets of squares; `legality` states the same rules
//! independently, square by square, and explains violations.

use std::sync::Arc;

use kit::hash::hash;
use kit::network::Network;
use kit::{Game, OptionDecl, OptionKind, Options, Outcome, Rejection, Side};

use crate::eval;
use crate::geometry::{Geometry, N_BITS, Square, Squares, squares};
use crate::legality;
use crate::pieces::{Pieces, Size};

/// The name of the option for the board's size.
pub(crate) const SIZE: &str = "Size";

/// The number of occurrences at which a position is a draw.
const REPETITIONS: usize = 3;

/// Gobblet! on 4x4, or Gobblet! Jr. on 3x3.
#[derive(Debug, Clone)]
pub struct Gobblet {
    pub(crate) board: Geometry,
    /// The network that evaluates positions on 4x4; `None` on 3x3.
    pub(crate) network: Option<Arc<Network>>,
}

/// The pieces of both players on the board, and the side to move. They determine the pieces off the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(crate) pieces: Pieces,
    pub(crate) side: Side,
    /// Plies since the last placement; earlier positions cannot repeat.
    pub(crate) reversible: u32,
}

/// A move of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The origin of the piece.
    pub from: Origin,
    /// The square on which it lands.
    pub to: Square,
}

/// The origin of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Off the board: a piece of this size.
    Reserve(Size),
    /// The visible piece of this square.
    Square(Square),
}

impl Gobblet {
    /// The game on the board of this width, 3 or 4.
    pub(crate) fn with_width(width: u8) -> Gobblet {
        Gobblet {
            board: Geometry::new(width),
            network: eval::learned(width),
        }
    }

    /// The largest size of a piece, which on both boards is the width.
    pub(crate) fn largest(&self) -> Size {
        self.board.width()
    }

    /// Number of pieces of each size per player.
    pub(crate) fn n_each(&self) -> u32 {
        u32::from(self.board.width()) - 1
    }

    /// `true` if the pieces off the board are in stacks, with the largest on top, and a placement may cover a piece
    /// only to break a line.
    pub(crate) fn has_stacks(&self) -> bool {
        self.board.width() == 4
    }

    /// The sizes of which the side to move may place a piece, the largest first.
    #[inline]
    fn placeable(&self, position: &Position) -> impl Iterator<Item = Size> {
        let (n_each, has_stacks) = (self.n_each(), self.has_stacks());
        let (pieces, side) = (position.pieces, position.side);
        let mut most = n_each;
        (1..=self.largest()).rev().filter(move |&size| {
            let out = pieces.count(side, size);
            // In a stack, a piece is free once the next larger one has left.
            let is_free = out < most;
            if has_stacks {
                most = out;
            }
            is_free
        })
    }

    /// The squares allowed by the placement rule, regardless of sizes.
    #[inline]
    fn placement_squares(&self, position: &Position) -> Squares {
        if !self.has_stacks() {
            return self.board.all();
        }
        let enemy = position.pieces.visible().of(position.side.other());
        let empty = self.board.all() & !position.pieces.at_least(1);
        empty | self.board.nearly_full(enemy)
    }

    /// Calls `visit` for each piece that the side to move may place or move, in canonical order, with the squares on
    /// which it may land.
    #[inline]
    pub(crate) fn each_piece(&self, position: &Position, mut visit: impl FnMut(Origin, Squares)) {
        let pieces = position.pieces;
        let larger_than = |size| self.board.all() & !pieces.at_least(size);
        let placement = self.placement_squares(position);
        for size in self.placeable(position) {
            visit(Origin::Reserve(size), larger_than(size) & placement);
        }
        for from in squares(pieces.visible().of(position.side)) {
            visit(Origin::Square(from), larger_than(pieces.size_at(from)));
        }
    }
}

impl Game for Gobblet {
    const NAME: &'static str = "gobblet";

    type Position = Position;
    type Move = Move;
    /// The reversible plies before the move.
    type Undo = u32;

    fn options() -> Vec<OptionDecl> {
        vec![OptionDecl {
            name: SIZE.to_owned(),
            kind: OptionKind::Spin {
                default: 3,
                min: 3,
                max: 4,
            },
        }]
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

    #[inline]
    fn side(&self, position: &Position) -> Side {
        position.side
    }

    /// A line of the opponent that a move exposes takes precedence over one that the move completes.
    #[inline]
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let visible = position.pieces.visible();
        let mover = position.side.other();
        [mover.other(), mover]
            .into_iter()
            .find(|&side| self.board.has_line(visible.of(side)))
            .map(Outcome::Win)
    }

    #[inline]
    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        self.each_piece(position, |from, targets| {
            moves.extend(squares(targets).map(|to| Move { from, to }));
        });
    }

    #[inline]
    fn count_moves(&self, position: &Position) -> usize {
        let mut n_moves = 0;
        self.each_piece(position, |_, targets| {
            n_moves += targets.count_ones() as usize
        });
        n_moves
    }

    fn check(&self, position: &Position, mv: Move) -> Result<(), Rejection> {
        legality::check(self, position, mv)
    }

    #[inline]
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

    #[inline]
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

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        position.pieces.hash(position.side.index() as u64)
    }

    fn repetition_limit(&self) -> Option<usize> {
        Some(REPETITIONS)
    }

    #[inline]
    fn reversible_plies(&self, position: &Position) -> usize {
        position.reversible as usize
    }

    #[inline]
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
