//! Gobblet! and Gobblet! Jr. (Blue Orange): rules, notation and engine.
//!
//! [`Gobblet`] is the game, on 3x3 or 4x4. Its rules are in `rules`, with `legality` to explain why a move is illegal;
//! its text is in `notation`, with boards drawn in `diagram`; its evaluation is in `eval`.
//! All use `pieces`, squares and pieces as bits, and `geometry`, the lines. `spec/gobblet.md` describes the game.

mod geometry;
mod line_reader;
mod pieces;
mod position;
mod rules;
mod table;

mod diagram;
mod eval;
mod inputs;
mod legality;
mod notation;

// The unit tests need no engine, and compiling it takes longer than all else of them.
#[cfg(not(test))]
mod engine;

#[cfg(not(test))]
pub use engine::GAME;
pub use pieces::{Size, Square};
pub use position::{Gobblet, Move, Origin, Position};
