//! The game on one board, its positions and its moves.

use std::sync::Arc;

use kit::Side;

use crate::bind::Explored;
use crate::geometry::{BOARD, Both, Square, Squares, neighbours, reach};

/// Number of consecutive passes that is a draw.
pub(crate) const PASSES_TO_DRAW: u8 = 2;

/// The name of the option whose value is [`Goal`].
pub(crate) const GOAL: &str = "Goal";
pub(crate) const CONTACT: &str = "contact";
pub(crate) const APART: &str = "apart";

/// The letters of the players' pieces.
pub(crate) const LETTERS: [char; 2] = ['o', 's'];

/// The letter of a player's pieces in position strings.
pub(crate) fn letter(side: Side) -> char {
    LETTERS[side.index()]
}

/// The letter of a player's pieces on the drawn board.
pub(crate) fn name(side: Side) -> String {
    letter(side).to_uppercase().to_string()
}

/// e-mail Entropy: the game with the chosen goal.
#[derive(Debug, Clone)]
pub struct Entropy {
    pub(crate) goal: Goal,
    pub(crate) binds: Arc<Option<Explored>>,
}

/// The condition for every piece of the winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// An enemy neighbour and no own neighbour.
    Contact,
    /// No own neighbour.
    Apart,
}

/// The pieces, the side to move, and the number of consecutive passes just before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(crate) pieces: Pieces,
    pub(crate) side: Side,
    pub(crate) passes: u8,
}

/// The squares of both players' pieces.
///
/// One word has a half for each player. It is always written as a whole, because reading the key soon after writing
/// only one half would stall on store forwarding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pieces(pub(crate) Both);

/// A move of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// A piece slides along a line.
    Slide {
        /// The origin.
        from: Square,
        /// The target.
        to: Square,
    },
    /// A pass.
    Pass,
}

impl Pieces {
    pub(crate) const fn new(p1: Squares, p2: Squares) -> Pieces {
        Pieces(p1 as u64 | (p2 as u64) << 32)
    }

    /// The pieces of one player.
    pub(crate) fn of(self, side: Side) -> Squares {
        (self.0 >> (32 * side.index())) as Squares
    }

    /// The pieces of this player in the low half, those of the other player in the high half.
    pub(crate) fn own_first(self, side: Side) -> Both {
        self.0.rotate_left(32 * side.index() as u32)
    }

    pub(crate) fn slide(&mut self, side: Side, from: Square, to: Square) {
        self.0 ^= u64::from(from.bit() | to.bit()) << (32 * side.index());
    }
}

impl Position {
    /// The same pieces with the other player to move.
    pub(crate) fn with_opponent_to_move(&self) -> Position {
        Position {
            side: self.side.other(),
            ..*self
        }
    }

    /// The owner of the piece on a square.
    pub(crate) fn owner(&self, square: Square) -> Option<Side> {
        let has_piece = |side: &Side| self.pieces.of(*side) & square.bit() != 0;
        Side::BOTH.into_iter().find(has_piece)
    }

    /// The pieces of the player to move.
    pub(crate) fn own(&self) -> Squares {
        self.pieces.of(self.side)
    }

    /// The pieces of the player not to move.
    pub(crate) fn enemy(&self) -> Squares {
        self.pieces.of(self.side.other())
    }

    /// The squares with a piece.
    pub(crate) fn occupied(&self) -> Squares {
        self.pieces.of(Side::P1) | self.pieces.of(Side::P2)
    }

    /// The pieces of the player to move that have no neighbour.
    pub(crate) fn isolated(&self) -> Squares {
        self.own() & !neighbours(self.own()) & !neighbours(self.enemy())
    }
}

impl Goal {
    /// The value of the option.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Goal::Contact => CONTACT,
            Goal::Apart => APART,
        }
    }

    /// The squares where the goal wants a piece, given those next to the enemy's pieces.
    pub(crate) fn wanted(self, near_enemy: Squares) -> Squares {
        match self {
            Goal::Contact => near_enemy,
            Goal::Apart => !0,
        }
    }

    /// `true` if these pieces have reached the goal, given the squares next to them and next to the enemy's.
    pub(crate) fn is_reached(self, own: Squares, near_own: Squares, near_enemy: Squares) -> bool {
        own & near_own == 0 && own & !self.wanted(near_enemy) == 0
    }
}

/// The slides available to the player to move.
pub(crate) struct MoverSlides {
    /// The pieces that may slide: those with an own neighbour.
    pub(crate) mobile: Squares,
    /// The squares on which a slide may end: any square, or in check those next to every isolated piece.
    pub(crate) targets: Squares,
    pub(crate) occupied: Squares,
}

/// The squares on which a slide may end, given the isolated pieces of the player to move.
pub(crate) fn targets(isolated: Squares) -> Squares {
    let next_to_all = |targets, piece: Square| targets & neighbours(piece.bit());
    Square::of(isolated).fold(BOARD, next_to_all)
}

impl MoverSlides {
    pub(crate) fn new(position: &Position) -> MoverSlides {
        MoverSlides {
            mobile: position.own() & neighbours(position.own()),
            targets: targets(position.isolated()),
            occupied: position.occupied(),
        }
    }
}

impl Entropy {
    /// `true` if the player to move has no slide.
    pub(crate) fn must_pass(&self, position: &Position) -> bool {
        let turn = MoverSlides::new(position);
        // The usual case: the player is in check, and no square is next to all isolated pieces.
        turn.targets & !turn.occupied == 0 || self.slides(position).all(|(_, targets)| targets == 0)
    }

    /// Each piece that may slide, with the squares to which it may slide.
    pub(crate) fn slides(&self, position: &Position) -> impl Iterator<Item = (Square, Squares)> {
        let turn = MoverSlides::new(position);
        Square::of(turn.mobile).map(move |from| (from, reach(from, turn.occupied) & turn.targets))
    }
}
