//! Gobblet! and Gobblet! Jr. (Blue Orange): rules, notation and engine.
//!
//! [`Gobblet`] is the game, on 3x3 or 4x4. Its rules are in `rules`, with `legality` to explain why a move is illegal;
//! its text is in `notation`, with boards drawn in `diagram` and read in `parse_diagram`; its evaluation is in `eval`.
//! All use `pieces`, the pieces as bits, and `geometry`, the squares and lines. `spec/gobblet.md` describes the game.

use std::sync::LazyLock;

use kit::{GameEntry, GameTexts};

mod geometry;
mod line_reader;
mod pieces;
mod position;
mod rules;
mod square;
mod table;

mod diagram;
mod eval;
mod fen;
mod inputs;
mod legality;
mod notation;
mod parse_diagram;

mod bench;

#[cfg(test)]
mod tests;

pub use pieces::Size;
pub use position::{Gobblet, Move, Origin, Position};
pub use square::Square;

/// The texts for new players.
static TEXTS: LazyLock<GameTexts> = LazyLock::new(|| GameTexts::parse(include_str!("texts.json")));

/// The game's entry, for programs that offer it.
pub static GAME: GameEntry = GameEntry::of::<Gobblet>(&TEXTS)
    .checked_at(include_str!("check_positions.txt"))
    .reaching(include_str!("place_positions.txt"));
