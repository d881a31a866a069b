//! The positions and the limit of `bench`.

use kit::search::{Ladder, Rung};
use kit::tablebase::{Indexing, Tabulated};
use kit::{Bench, BenchLimit, Engine};

use crate::Entropy;

/// Measured: Elo points over a player that moves at random.
const RUNGS: &[Rung] = &[
    Rung::new(0, 5, 5),
    Rung::new(100, 50, 10),
    Rung::new(250, 100, 15),
    Rung::new(465, 200, 30),
    Rung::new(570, 300, 40),
    Rung::new(650, 400, 70),
    Rung::new(725, 500, 100),
    Rung::new(770, 600, 170),
    Rung::new(835, 700, 300),
    Rung::new(897, 800, 550),
    Rung::new(985, 900, 1_000),
    Rung::new(1_050, 950, 2_000),
    Rung::new(1_130, 1_000, 4_000),
    Rung::new(1_240, 1_000, 10_000),
];

impl Engine for Entropy {
    const AUTHOR: &'static str = "the Linesman authors";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(10),
        positions: include_str!("bench.txt"),
    };

    fn indexing(&self) -> Option<Box<dyn Indexing<Entropy>>> {
        let graph = self.graph().ok()?;
        Some(Box::new(graph))
    }

    fn ladder(&self) -> Ladder {
        Ladder { rungs: RUNGS }
    }
}
