//! Graph Hockey (Robert Maas, 1970): rules, notation and engine.
//!
//! [`GraphHockey`] is the game on a field of one size. Its rules are in `rules`, with `legality` to explain why a move
//! is illegal; its text is in `notation`, with the field drawn in `diagram`; its evaluation
//! is in `eval`. All use `geometry`, the tables of a `field`, which are computed from the twenty `moves` and `plane`,
//! the arithmetic of points and segments. `spec/graph-hockey.md` describes the game.

mod moves;
mod plane;

mod field;
mod geometry;
mod position;
mod rules;

mod diagram;
mod eval;
mod input_table;
mod inputs;
mod legality;
mod notation;

// The unit tests need no engine, and compiling it takes longer than all else of them.
#[cfg(not(test))]
mod engine;

#[cfg(test)]
mod place_tests;

#[cfg(not(test))]
pub use engine::GAME;
pub use moves::Move;
pub use position::{GraphHockey, Position, Undo};
