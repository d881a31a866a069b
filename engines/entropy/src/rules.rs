//! The rules: legal moves, their effects, and the end of the game.
//!
//! [`Entropy`] implements [`Game`]. Moves are generated from sets of squares; `legality` states the same rules
//! independently, square by square, and explains violations.

use std::sync::Arc;

use kit::hash::hash;
use kit::{Game, OptionDecl, Options, Outcome, Rejection, Side};

use crate::geometry::{N_BITS, Square, neighbours};
use crate::legality;
use crate::position::{
    APART, CONTACT, Entropy, GOAL, Goal, Move, PASSES_TO_DRAW, Pieces, Position,
};

impl Game for Entropy {
    const NAME: &'static str = "entropy";

    type Position = Position;
    type Move = Move;
    /// The position before the move.
    type Undo = Position;

    fn options() -> Vec<OptionDecl> {
        vec![OptionDecl::combo(GOAL, &[CONTACT, APART])]
    }

    fn new(options: &Options) -> Entropy {
        let goal = match options.text(GOAL) {
            APART => Goal::Apart,
            _ => Goal::Contact,
        };
        Entropy {
            goal,
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

    fn side(&self, position: &Position) -> Side {
        position.side
    }

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

    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        let before = moves.len();
        for (from, targets) in self.slides(position) {
            moves.extend(Square::of(targets).map(|to| Move::Slide { from, to }));
        }
        if moves.len() == before {
            moves.push(Move::Pass);
        }
    }

    fn count_moves(&self, position: &Position) -> usize {
        let n_slides: u32 = self
            .slides(position)
            .map(|(_, targets)| targets.count_ones())
            .sum();
        n_slides.max(1) as usize
    }

    fn check(&self, position: &Position, mv: Move) -> Result<(), Rejection> {
        legality::check(self, position, mv)
    }

    fn play(&self, position: &mut Position, mv: Move) -> Position {
        let before = *position;
        match mv {
            Move::Slide { from, to } => {
                position.pieces.slide(before.side, from, to);
                position.passes = 0;
            }
            Move::Pass => position.passes += 1,
        }
        position.side = before.side.other();
        before
    }

    fn undo(&self, position: &mut Position, _: Move, before: Position) {
        *position = before;
    }

    fn rules_key(&self) -> u64 {
        hash([self.goal as u64])
    }

    /// The key is exact: no two positions that differ in pieces or side to move share one.
    fn key(&self, position: &Position) -> u64 {
        mix(pack(position))
    }

    /// Exact, like the key.
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
fn pack(position: &Position) -> u64 {
    position.pieces.0 | (position.side.index() as u64) << 31
}

/// Spreads differences over all bits; injective, because the factor is odd.
fn mix(bits: u64) -> u64 {
    let product = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}
