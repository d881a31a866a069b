//! e-mail Entropy (Augustine Carreno, 1994): rules, notation and engine.
//!
//! [`Entropy`] is the game. Its rules are in `rules`, with `legality` to say why a move is refused; its text is in
//! `notation`, with position strings in `fen` and the figures of the game's FAQ drawn in `diagram` and read in `figure`; its judgement is in
//! `eval`, with `bind` for players who can only pass. All stand on `board`: squares, neighbours and slides. `spec/entropy.md` is the game in prose.

mod bench;
mod bind;
mod board;
mod diagram;
mod eval;
mod fen;
mod figure;
mod legality;
mod notation;
mod rules;

pub use board::Square;
pub use rules::{Entropy, Goal, Move, Position};
