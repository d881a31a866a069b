//! The positions and the limit of `bench`.

use std::sync::LazyLock;

use kit::search::{Ladder, Rung};
use kit::tablebase::{Indexing, Tabulated};
use kit::{Bench, BenchLimit, Engine};

use crate::Susan;

/// Measured: Elo points over a player that moves at random.
static RUNGS: LazyLock<Vec<Rung>> = LazyLock::new(|| Rung::parse_table(include_str!("ladder.txt")));

impl Engine for Susan {
    const AUTHOR: &'static str = "the Linesman authors";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(6),
        positions: include_str!("bench.txt"),
    };

    fn indexing(&self) -> Option<Box<dyn Indexing<Susan>>> {
        let graph = self.graph().ok()?;
        Some(Box::new(graph))
    }

    fn ladder(&self) -> Ladder {
        Ladder { rungs: &RUNGS }
    }
}
