//! Gobblet! and Gobblet! Jr. (Blue Orange): rules, notation and engine.
//!
//! [`Gobblet`] is the game, on 3x3 or 4x4. Its rules are in `rules`, with `legality` to say why a move is refused; its
//! text is in `notation`, with position strings in `fen` and boards drawn in `diagram` and read in `figure`; its judgement is in `eval`.
//! All stand on `pieces`, where the pieces are bits, and on `board`, which knows the lines. `spec/gobblet.md` is the
//! game in prose.

mod geometry;
mod pieces;
mod rules;

mod diagram;
mod eval;
mod fen;
mod figure;
mod legality;
mod notation;

mod bench;

pub use geometry::Square;
pub use pieces::Size;
pub use rules::{Gobblet, Move, Origin, Position};
