//! SUSAN, a game of surrounding by Stephen Linhart (1991): rules, notation and evaluation.
//!
//! Start with `position`, which has the positions and moves, and `rules`, where [`Susan`] implements [`kit::Game`]. `legality`
//! explains why a move is illegal. Both use `geometry`, the tables of a board, and `cells`, sets of cells as bits.
//! `notation` reads and writes moves and positions, `diagram` draws boards, `eval` evaluates positions. `spec/susan.md` has
//! the full rules.

use std::sync::LazyLock;

use draw::GameTexts;
use kit::search::Rung;
use kit::tablebase::Indexing;
use kit::{Bench, BenchLimit, Engine, GameEntry};

mod legality;
mod position;
mod rules;
mod table;

mod cells;
mod geometry;

mod diagram;
mod notation;

mod eval;

#[cfg(test)]
mod tests;

pub use cells::Cell;
pub use position::{Move, Position, Susan};

/// The texts for new players.
static TEXTS: LazyLock<GameTexts> = LazyLock::new(|| GameTexts::parse(include_str!("texts.json")));

/// The game's entry, for programs that offer it.
pub static GAME: GameEntry = GameEntry {
    check_positions: include_str!("check_positions.txt"),
    place_positions: include_str!("place_positions.txt"),
    ..GameEntry::of::<Susan>(&TEXTS)
};

impl Engine for Susan {
    const AUTHOR: &'static str = "the Linesman authors";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(6),
        positions: include_str!("bench.txt"),
    };

    fn indexing(&self) -> Option<Box<dyn Indexing<Susan>>> {
        kit::tablebase::indexing(self)
    }

    fn rungs(&self) -> &'static [Rung] {
        const { &include!("ladder.in") }
    }
}
