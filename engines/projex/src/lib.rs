//! Projex (Bill Taylor, 1994): rules, notation and engine.
//!
//! [`Projex`] is the game on a board of one size; `spec/projex.md` describes it. [`geometry`] has the cells and their
//! neighbours, including those across the edge; [`position`] stores the stones, with `chains` to find global loops;
//! [`rules`] has the moves, their effects and the end of a game. Text is in `notation`, boards are drawn in `diagram`, with
//! the winning loop and the `sides` at which the board continues. The evaluation is in `eval`. It uses `prospects`, the
//! stones that each colour still needs, which uses `bridges`, `loop_tables` and sets of `cells`. The engine searches a
//! `tree` of random games (`playout`), guided by a learned [`policy`] of the moves' features.

mod chains;
pub mod geometry;
pub mod position;
pub mod rules;

mod diagram;
mod fen;
mod loops;
mod notation;

mod bridges;
mod cells;
mod connections;
mod eval;
mod loop_tables;
mod move_features;
mod prospects;
mod sides;
mod surroundings;

mod playout;
pub mod policy;
mod tree;

// The unit tests need no engine, and compiling it takes longer than all else of them.
#[cfg(not(test))]
mod engine;

#[cfg(test)]
mod symmetry_tests;

#[cfg(not(test))]
pub use engine::GAME;
pub use move_features::N_FEATURES;
pub use rules::{Move, Projex};
pub use tree::SearchTree;
