//! SUSAN, a game of surrounding by Stephen Linhart (1991): rules, notation and evaluation.
//!
//! Start with `position`, which has the positions and moves, and `rules`, where [`Susan`] implements [`kit::Game`]. `legality`
//! explains why a move is illegal. Both use `geometry`, the tables of a board, and `cells`, sets of cells as bits.
//! `notation` reads and writes moves and positions, `diagram` draws boards, `eval` evaluates positions. `spec/susan.md` has
//! the full rules.

mod legality;
mod position;
mod rules;
mod table;

mod cells;
mod geometry;

mod diagram;
mod notation;

mod eval;

// The unit tests need no engine, and compiling it takes longer than all else of them.
#[cfg(not(test))]
mod engine;

pub use cells::Cell;
#[cfg(not(test))]
pub use engine::GAME;
pub use position::{Move, Position, Susan};
