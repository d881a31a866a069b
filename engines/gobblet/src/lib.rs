//! Gobblet! and Gobblet! Jr. (Blue Orange): rules, notation and engine.
//!
//! [`Gobblet`] is the game, on 3x3 or 4x4. Its rules are in `rules`, with `legality` to explain why a move is illegal;
//! its text is in `notation`, with boards drawn in `diagram`; its evaluation is in `eval`.
//! All use `pieces`, squares and pieces as bits, and `geometry`, the lines. `spec/gobblet.md` describes the game.

use std::sync::LazyLock;

use draw::GameTexts;
use kit::search::Rung;
use kit::tablebase::Indexing;
use kit::{Bench, BenchLimit, Engine, GameEntry};

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

#[cfg(test)]
mod tests;

pub use pieces::{Size, Square};
pub use position::{Gobblet, Move, Origin, Position};

/// The texts for new players.
static TEXTS: LazyLock<GameTexts> = LazyLock::new(|| GameTexts::parse(include_str!("texts.json")));

/// The game's entry, for programs that offer it.
pub static GAME: GameEntry = GameEntry {
    check_positions: include_str!("check_positions.txt"),
    place_positions: include_str!("place_positions.txt"),
    ..GameEntry::of::<Gobblet>(&TEXTS)
};

impl Engine for Gobblet {
    const AUTHOR: &'static str = "the Linesman authors";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(9),
        positions: include_str!("bench.txt"),
    };

    fn indexing(&self) -> Option<Box<dyn Indexing<Gobblet>>> {
        kit::tablebase::indexing(self)
    }

    fn rungs(&self) -> &'static [Rung] {
        match self.board.width {
            3 => const { &include!("ladder_3.in") },
            _ => const { &include!("ladder_4.in") },
        }
    }
}
