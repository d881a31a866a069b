//! e-mail Entropy (Augustine Carreno, 1994): rules, notation and engine.
//!
//! [`Entropy`] is the game. Its rules are in `rules`, with `legality` to explain why a move is illegal; its text is in
//! `notation`, with the figures of the game's FAQ drawn in `diagram`; its evaluation is in
//! `eval`, with `bind` for players who can only pass; `table` indexes the positions for an endgame table. All use
//! `geometry`: squares, neighbours and slides. `spec/entropy.md` describes the game.

mod bind;
mod diagram;
mod eval;
mod geometry;
mod legality;
mod notation;
mod position;
mod rules;
mod table;

// The unit tests need no engine, and compiling it takes longer than all else of them.
#[cfg(not(test))]
mod engine;

#[cfg(test)]
mod place_tests;

#[cfg(not(test))]
pub use engine::GAME;
pub use geometry::Square;
pub use position::{Entropy, Goal, Move, Position};
pub use table::{EntropyPositions, EntropyWalker};
