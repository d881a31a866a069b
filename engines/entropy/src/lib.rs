//! e-mail Entropy (Augustine Carreno, 1994): rules, notation and engine.
//!
//! [`Entropy`] is the game. Its rules are in `rules`, with `legality` to explain why a move is illegal; its text is in
//! `notation`, with the figures of the game's FAQ drawn in `diagram`; its evaluation is in
//! `eval`, with `bind` for players who can only pass; `table` indexes the positions for an endgame table. All use
//! `geometry`: squares, neighbours and slides. `spec/entropy.md` describes the game.

use std::sync::LazyLock;

use draw::GameTexts;
use kit::search::Rung;
use kit::tablebase::Indexing;
use kit::{Bench, BenchLimit, Engine, GameEntry};

mod bind;
mod diagram;
mod eval;
mod geometry;
mod legality;
mod notation;
mod position;
mod rules;
mod table;

#[cfg(test)]
mod tests;

pub use geometry::Square;
pub use position::{Entropy, Goal, Move, Position};
pub use table::{EntropyPositions, EntropyWalker};

/// The texts for new players.
static TEXTS: LazyLock<GameTexts> = LazyLock::new(|| GameTexts::parse(include_str!("texts.json")));

/// The game's entry, for programs that offer it.
pub static GAME: GameEntry = GameEntry {
    check_positions: include_str!("check_positions.txt"),
    place_positions: include_str!("place_positions.txt"),
    ..GameEntry::of::<Entropy>(&TEXTS)
};

impl Engine for Entropy {
    const AUTHOR: &'static str = "the Linesman authors";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(10),
        positions: include_str!("bench.txt"),
    };

    fn indexing(&self) -> Option<Box<dyn Indexing<Entropy>>> {
        kit::tablebase::indexing(self)
    }

    fn rungs(&self) -> &'static [Rung] {
        const { &include!("ladder.in") }
    }
}
