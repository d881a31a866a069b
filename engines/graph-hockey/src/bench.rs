//! The positions and the limit of `bench`.

use std::sync::LazyLock;

use kit::search::{Ladder, Rung};
use kit::{Bench, BenchLimit, Engine};

use crate::GraphHockey;

/// Measured: Elo points over a player that moves at random.
static RUNGS: LazyLock<Vec<Rung>> = LazyLock::new(|| Rung::parse_table(include_str!("ladder.txt")));

impl Engine for GraphHockey {
    const AUTHOR: &'static str = "the Linesman authors";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(10),
        positions: include_str!("bench.txt"),
    };

    fn ladder(&self) -> Ladder {
        Ladder { rungs: &RUNGS }
    }
}
