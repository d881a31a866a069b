//! Graph Hockey (Robert Maas, 1970): rules, notation and engine.
//!
//! [`GraphHockey`] is the game on a field of one size. Its rules are in `rules`, with `legality` to say why a move is
//! refused; its text is in `notation`, with the drawn field in `diagram` on a `canvas` and the `legend` below it; its judgement is in `eval`. All
//! stand on `board`, the tables of a `field`, which are made from the `geometry` of the twenty `moves`.
//! `spec/graph-hockey.md` is the game in prose.

mod geometry;
mod moves;

mod board;
mod field;
mod rules;

mod canvas;
mod diagram;
mod eval;
mod legality;
mod legend;
mod notation;

mod bench;

pub use moves::Move;
pub use rules::{GraphHockey, Position, Undo};
