//! Gobblet! and Gobblet! Jr. (Blue Orange): rules, notation and engine.
//!
//! [`Gobblet`] is the game, on 3x3 or 4x4. Its rules are in `rules`, with `legality` to explain why a move is illegal;
//! its text is in `notation`, with boards drawn in `diagram`; its evaluation is in `eval`.
//! All use `pieces`, squares and pieces as bits, and `geometry`, the lines. `spec/gobblet.md` describes the game.

use std::sync::LazyLock;

use draw::GameTexts;
use kit::search::{Ladder, Rung};
use kit::tablebase::{Indexing, Tabulated};
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

/// Measured on 3x3: Elo points over a player that moves at random.
static RUNGS_3: LazyLock<Vec<Rung>> =
    LazyLock::new(|| Rung::parse_table(include_str!("ladder_3.txt")));

/// The same on 4x4.
static RUNGS_4: LazyLock<Vec<Rung>> =
    LazyLock::new(|| Rung::parse_table(include_str!("ladder_4.txt")));

impl Engine for Gobblet {
    const AUTHOR: &'static str = "the Linesman authors";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(9),
        positions: include_str!("bench.txt"),
    };

    fn indexing(&self) -> Option<Box<dyn Indexing<Gobblet>>> {
        let graph = self.graph().ok()?;
        Some(Box::new(graph))
    }

    fn ladder(&self) -> Ladder {
        let rungs = match self.board.width() {
            3 => &RUNGS_3,
            _ => &RUNGS_4,
        };
        Ladder { rungs }
    }
}
