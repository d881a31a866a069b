//! Gobblet! and Gobblet! Jr. (Blue Orange): rules, notation and engine.
//!
//! [`Gobblet`] is the game, on 3x3 or 4x4. Its rules are in `rules`, with `legality` to explain why a move is illegal;
//! its text is in `notation`, with boards drawn in `diagram` and read in `parse_diagram`; its evaluation is in `eval`.
//! All use `pieces`, the pieces as bits, and `geometry`, the squares and lines. `spec/gobblet.md` describes the game.

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

mod about;
mod bench;
mod lesson;
mod place_positions;

#[cfg(test)]
mod tests;

pub use pieces::Size;
pub use position::{Gobblet, Move, Origin, Position};
pub use square::Square;

/// The game's entry, for programs that offer it.
pub static GAME: kit::GameEntry = kit::GameEntry::of::<Gobblet>(&about::ABOUT)
    .checked_at(include_str!("check_positions.txt"))
    .taught_by(&lesson::LESSON)
    .replaying(about::GAME)
    .reaching(place_positions::place_positions);
