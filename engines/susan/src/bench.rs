//! The positions and the limit of `bench`.

use kit::search::{Ladder, Rung};
use kit::tablebase::{Indexing, Tabulated};
use kit::{Bench, BenchLimit, Engine};

use crate::Susan;

/// Measured: Elo points over a player that moves at random.
const RUNGS: &[Rung] = &[
    Rung::new(40, 5, 5),
    Rung::new(190, 20, 8),
    Rung::new(440, 50, 10),
    Rung::new(715, 100, 15),
    Rung::new(950, 200, 30),
    Rung::new(1_065, 300, 40),
    Rung::new(1_180, 400, 70),
    Rung::new(1_265, 500, 100),
    Rung::new(1_390, 600, 170),
    Rung::new(1_540, 700, 300),
    Rung::new(1_710, 800, 550),
    Rung::new(1_830, 900, 1_000),
    Rung::new(1_970, 950, 2_000),
    Rung::new(2_135, 1_000, 4_000),
    Rung::new(2_300, 1_000, 10_000),
];

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
        Ladder { rungs: RUNGS }
    }
}
