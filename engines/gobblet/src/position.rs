//! The game on one board, its positions and its moves.

use std::sync::{Arc, LazyLock};

use kit::Side;
use kit::network::Network;
use kit::weights::built_in;

use crate::geometry::Geometry;
use crate::pieces::{Pieces, Size, Square, Squares};

/// The network for 4x4, trained by `linesman-lab learn`; `spec/lab.md` lists the commands.
static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| built_in(include_bytes!("gobblet.net")));

/// The name of the option for the board's size.
pub(crate) const SIZE: &str = "Size";

/// The colour of a player's pieces.
pub(crate) fn colour(side: Side) -> &'static str {
    ["red", "yellow"][side.index()]
}

/// The number of occurrences at which a position is a draw.
pub(crate) const REPETITIONS: usize = 3;

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
            network: (width == 4).then(|| Arc::clone(&NETWORK)),
        }
    }

    /// The largest size of a piece, which on both boards is the width.
    pub(crate) fn largest(&self) -> Size {
        self.board.width
    }

    /// Number of pieces of each size per player.
    pub(crate) fn n_each(&self) -> u32 {
        u32::from(self.board.width) - 1
    }

    /// `true` if the pieces off the board are in stacks, with the largest on top, and a placement may cover a piece
    /// only to break a line.
    pub(crate) fn has_stacks(&self) -> bool {
        self.board.width == 4
    }

    /// The sizes of which the side to move may place a piece, the largest first.
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
    fn placement_squares(&self, position: &Position) -> Squares {
        if !self.has_stacks() {
            return self.board.all;
        }
        let enemy = position.pieces.visible()[position.side.other().index()];
        let empty = self.board.all & !position.pieces.at_least(1);
        empty | self.board.nearly_full(enemy)
    }

    /// Each piece that the side to move may place or move, in canonical order, with the squares on which it may land.
    pub(crate) fn movable(&self, position: &Position) -> impl Iterator<Item = (Origin, Squares)> {
        let (pieces, all) = (position.pieces, self.board.all);
        let larger_than = move |size| all & !pieces.at_least(size);
        let placement = self.placement_squares(position);
        let placed = self.placeable(position);
        let placed = placed.map(move |size| (Origin::Reserve(size), larger_than(size) & placement));
        let moved = Square::of(pieces.visible()[position.side.index()]);
        let moved =
            moved.map(move |from| (Origin::Square(from), larger_than(pieces.size_at(from))));
        placed.chain(moved)
    }
}
