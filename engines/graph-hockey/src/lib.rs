//! Graph Hockey (Robert Maas, 1970): rules, notation and engine.
//!
//! [`GraphHockey`] is the game on a field of one size. Its rules are in `rules`, with `legality` to explain why a move
//! is illegal; its text is in `notation`, with the field drawn in `diagram`; its evaluation
//! is in `eval`. All use `geometry`, the tables of a `field`, which are computed from the twenty `moves` and `plane`,
//! the arithmetic of points and segments. `spec/graph-hockey.md` describes the game.

use std::sync::LazyLock;

use draw::GameTexts;
use kit::search::Rung;
use kit::{Bench, BenchLimit, Engine, GameEntry};

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

#[cfg(test)]
mod tests;

pub use moves::Move;
pub use position::{GraphHockey, Position, Undo};

/// The texts for new players.
static TEXTS: LazyLock<GameTexts> = LazyLock::new(|| GameTexts::parse(include_str!("texts.json")));

/// The game's entry, for programs that offer it.
pub static GAME: GameEntry = GameEntry {
    check_positions: include_str!("check_positions.txt"),
    place_positions: include_str!("place_positions.txt"),
    ..GameEntry::of::<GraphHockey>(&TEXTS)
};

impl Engine for GraphHockey {
    const AUTHOR: &'static str = "the Linesman authors";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(10),
        positions: include_str!("bench.txt"),
    };

    fn rungs(&self) -> &'static [Rung] {
        const { &include!("ladder.in") }
    }
}
