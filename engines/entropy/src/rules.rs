//! The rules: positions, moves, and the goal.
//!
//! [`Entropy`] implements [`Game`]. Moves are generated from sets of squares; `legality` states the same rules
//! independently, square by square, and explains violations.

use std::sync::Arc;

use kit::hash::hash;
use kit::{Game, OptionDecl, OptionKind, Options, Outcome, Rejection, Side};

use crate::bind::Binds;
use crate::geometry::{BOARD, N_BITS, Slides, Square, Squares, neighbours, squares};
use crate::legality;

/// Number of consecutive passes that is a draw.
pub(crate) const PASSES_TO_DRAW: u8 = 2;

/// The name of the option whose value is [`Goal`].
pub(crate) const GOAL: &str = "Goal";
const CONTACT: &str = "contact";
const APART: &str = "apart";

/// e-mail Entropy: the game with the chosen goal.
#[derive(Debug, Clone)]
pub struct Entropy {
    goal: Goal,
    slides: Arc<Slides>,
    binds: Arc<Binds>,
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
pub(crate) struct Pieces(u64);

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
    #[inline]
    pub(crate) fn of(self, side: Side) -> Squares {
        (self.0 >> (32 * side.index())) as Squares
    }

    #[inline]
    fn slide(&mut self, side: Side, from: Square, to: Square) {
        self.0 ^= u64::from(from.bit() | to.bit()) << (32 * side.index());
    }
}

impl Position {
    /// The pieces of the player to move.
    #[inline]
    pub(crate) fn own(&self) -> Squares {
        self.pieces.of(self.side)
    }

    /// The pieces of the player not to move.
    #[inline]
    pub(crate) fn enemy(&self) -> Squares {
        self.pieces.of(self.side.other())
    }

    /// The squares with a piece.
    #[inline]
    pub(crate) fn occupied(&self) -> Squares {
        self.pieces.of(Side::P1) | self.pieces.of(Side::P2)
    }

    /// The pieces of the player to move that have no neighbour.
    #[inline]
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

    /// `true` if these pieces have reached the goal, given the squares next to them and next to the enemy's.
    #[inline]
    pub(crate) fn is_reached(self, own: Squares, near_own: Squares, near_enemy: Squares) -> bool {
        own & near_own == 0 && (self == Goal::Apart || own & !near_enemy == 0)
    }
}

/// The slides available to the player to move.
pub(crate) struct Turn {
    /// The pieces that may slide: those with an own neighbour.
    pub(crate) mobile: Squares,
    /// The squares on which a slide may end: any square, or in check those next to every isolated piece.
    pub(crate) targets: Squares,
    pub(crate) occupied: Squares,
}

impl Turn {
    #[inline]
    pub(crate) fn new(position: &Position) -> Turn {
        let next_to_all = |targets, piece: Square| targets & neighbours(piece.bit());
        Turn {
            mobile: position.own() & neighbours(position.own()),
            targets: squares(position.isolated()).fold(BOARD, next_to_all),
            occupied: position.occupied(),
        }
    }
}

impl Entropy {
    /// The goal.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The known binds that a search can meet.
    pub(crate) fn binds(&self) -> &Binds {
        &self.binds
    }

    /// The same game with these binds known.
    pub(crate) fn with_binds(&self, binds: Binds) -> Entropy {
        Entropy {
            binds: Arc::new(binds),
            ..self.clone()
        }
    }

    /// The squares to which a piece can slide, regardless of checks.
    #[inline]
    pub(crate) fn reach(&self, from: Square, occupied: Squares) -> Squares {
        self.slides.from(from, occupied)
    }

    /// `true` if the player to move has no slide.
    pub(crate) fn must_pass(&self, position: &Position) -> bool {
        let turn = Turn::new(position);
        // The usual case: the player is in check, and no square is next to all isolated pieces.
        turn.targets & !turn.occupied == 0 || self.slides(position).all(|(_, targets)| targets == 0)
    }

    /// Each piece that may slide, with the squares to which it may slide.
    #[inline]
    pub(crate) fn slides(&self, position: &Position) -> impl Iterator<Item = (Square, Squares)> {
        let turn = Turn::new(position);
        squares(turn.mobile).map(move |from| (from, self.reach(from, turn.occupied) & turn.targets))
    }
}

impl Game for Entropy {
    const NAME: &'static str = "entropy";

    type Position = Position;
    type Move = Move;
    /// The number of consecutive passes before the move.
    type Undo = u8;

    fn options() -> Vec<OptionDecl> {
        vec![OptionDecl {
            name: GOAL.to_owned(),
            kind: OptionKind::Combo {
                default: CONTACT.to_owned(),
                choices: vec![CONTACT.to_owned(), APART.to_owned()],
            },
        }]
    }

    fn new(options: &Options) -> Entropy {
        let goal = match options.text(GOAL) {
            APART => Goal::Apart,
            _ => Goal::Contact,
        };
        Entropy {
            goal,
            slides: Arc::new(Slides::new()),
            binds: Arc::default(),
        }
    }

    fn start(&self) -> Position {
        Position {
            pieces: Pieces::new(0b010001_011111, 0b011111_010001 << 18),
            side: Side::P1,
            passes: 0,
        }
    }

    #[inline]
    fn side(&self, position: &Position) -> Side {
        position.side
    }

    #[inline]
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let [p1, p2] = Side::BOTH.map(|side| position.pieces.of(side));
        let [near_p1, near_p2] = [neighbours(p1), neighbours(p2)];
        let p1_reached = self.goal.is_reached(p1, near_p1, near_p2);
        let p2_reached = self.goal.is_reached(p2, near_p2, near_p1);
        match (p1_reached, p2_reached) {
            (true, true) => Some(Outcome::Draw),
            (true, false) => Some(Outcome::Win(Side::P1)),
            (false, true) => Some(Outcome::Win(Side::P2)),
            (false, false) => (position.passes >= PASSES_TO_DRAW).then_some(Outcome::Draw),
        }
    }

    #[inline]
    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        let before = moves.len();
        for (from, targets) in self.slides(position) {
            moves.extend(squares(targets).map(|to| Move::Slide { from, to }));
        }
        if moves.len() == before {
            moves.push(Move::Pass);
        }
    }

    #[inline]
    fn count_moves(&self, position: &Position) -> usize {
        let n_slides: u32 = self
            .slides(position)
            .map(|(_, targets)| targets.count_ones())
            .sum();
        n_slides.max(1) as usize
    }

    fn check(&self, position: &Position, mv: Move) -> Result<(), Rejection> {
        match mv {
            Move::Slide { from, to } => legality::check_slide(position, from, to),
            // A long game may consist mostly of passes, and computing the reason for an error is slow.
            Move::Pass if self.must_pass(position) => Ok(()),
            Move::Pass => legality::check_pass(position),
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) -> u8 {
        let passes = position.passes;
        match mv {
            Move::Slide { from, to } => {
                position.pieces.slide(position.side, from, to);
                position.passes = 0;
            }
            Move::Pass => position.passes += 1,
        }
        position.side = position.side.other();
        passes
    }

    #[inline]
    fn undo(&self, position: &mut Position, mv: Move, passes: u8) {
        position.side = position.side.other();
        position.passes = passes;
        if let Move::Slide { from, to } = mv {
            position.pieces.slide(position.side, from, to);
        }
    }

    fn rules_key(&self) -> u64 {
        hash([self.goal as u64])
    }

    /// The key is exact: no two positions that differ in pieces or side to move share one.
    #[inline]
    fn key(&self, position: &Position) -> u64 {
        mix(pack(position))
    }

    /// Exact, like the key.
    #[inline]
    fn search_key(&self, position: &Position) -> u64 {
        mix(pack(position) | u64::from(position.passes) << 62)
    }

    fn repetition_limit(&self) -> Option<usize> {
        Some(3)
    }

    fn move_index(&self, mv: Move) -> usize {
        match mv {
            Move::Slide { from, to } => from.index() * N_BITS + to.index(),
            Move::Pass => N_BITS * N_BITS,
        }
    }

    fn n_move_indices(&self) -> usize {
        N_BITS * N_BITS + 1
    }
}

/// Pieces and side to move in a word whose top two bits are free.
#[inline]
fn pack(position: &Position) -> u64 {
    position.pieces.0 | (position.side.index() as u64) << 31
}

/// Spreads differences over all bits; injective, because the factor is odd.
#[inline]
fn mix(bits: u64) -> u64 {
    let product = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}
