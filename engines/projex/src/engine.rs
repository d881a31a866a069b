//! The entry of Projex as an engine.

use std::sync::LazyLock;

use draw::GameTexts;
use kit::search::Rung;
use kit::{Bench, BenchLimit, DynHistory, Engine, GameEntry, PositionHistory};

use crate::Projex;

/// The texts for new players.
static TEXTS: LazyLock<GameTexts> = LazyLock::new(|| GameTexts::parse(include_str!("texts.json")));

/// The game's entry, for programs that offer it.
pub static GAME: GameEntry = GameEntry {
    check_positions: include_str!("check_positions.txt"),
    place_positions: include_str!("place_positions.txt"),
    ..GameEntry::of::<Projex>(&TEXTS)
};

impl Engine for Projex {
    const AUTHOR: &'static str = "the Linesman authors";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Games(2_000),
        positions: include_str!("bench.txt"),
    };

    #[inline(never)]
    fn erased(history: &PositionHistory<Projex>) -> &dyn DynHistory {
        history
    }

    fn rungs(&self) -> &'static [Rung] {
        const { &include!("ladder.in") }
    }
}
