//! The entry of Entropy as an engine.

use std::sync::LazyLock;

use draw::GameTexts;
use kit::search::Rung;
use kit::tablebase::Indexing;
use kit::{Bench, BenchLimit, DynHistory, Engine, GameEntry, PositionHistory};

use crate::Entropy;

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

    #[inline(never)]
    fn erased(history: &PositionHistory<Entropy>) -> &dyn DynHistory {
        history
    }

    fn rungs(&self) -> &'static [Rung] {
        const { &include!("ladder.in") }
    }
}
