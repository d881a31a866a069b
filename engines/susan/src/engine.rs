//! The entry of SUSAN as an engine.

use std::sync::LazyLock;

use draw::GameTexts;
use kit::search::Rung;
use kit::tablebase::Indexing;
use kit::{Bench, BenchLimit, DynHistory, Engine, GameEntry, PositionHistory};

use crate::Susan;

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

    #[inline(never)]
    fn erased(history: &PositionHistory<Susan>) -> &dyn DynHistory {
        history
    }

    fn rungs(&self) -> &'static [Rung] {
        const { &include!("ladder.in") }
    }
}
