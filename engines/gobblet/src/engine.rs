//! The entry of Gobblet! as an engine.

use std::sync::LazyLock;

use draw::GameTexts;
use kit::search::Rung;
use kit::tablebase::Indexing;
use kit::{Bench, BenchLimit, DynHistory, Engine, GameEntry, PositionHistory};

use crate::Gobblet;

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

    #[inline(never)]
    fn erased(history: &PositionHistory<Gobblet>) -> &dyn DynHistory {
        history
    }

    fn rungs(&self) -> &'static [Rung] {
        match self.board.width {
            3 => const { &include!("ladder_3.in") },
            _ => const { &include!("ladder_4.in") },
        }
    }
}
