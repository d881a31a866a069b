//! The positions and the limit of `bench`.

use kit::search::{Ladder, Rung};
use kit::tablebase::{Indexing, Tabulated};
use kit::{Bench, BenchLimit, Engine};

use crate::Susan;

/// Measured: Elo points over a player that moves at random.
const RUNGS: &[Rung] = &[
    Rung::new(10, 5, 5),
    Rung::new(106, 16, 7),
    Rung::new(214, 29, 8),
    Rung::new(332, 42, 9),
    Rung::new(476, 59, 10),
    Rung::new(605, 80, 13),
    Rung::new(709, 101, 15),
    Rung::new(828, 149, 22),
    Rung::new(946, 197, 29),
    Rung::new(1_081, 293, 39),
    Rung::new(1_196, 391, 67),
    Rung::new(1_309, 514, 110),
    Rung::new(1_417, 604, 175),
    Rung::new(1_562, 679, 273),
    Rung::new(1_703, 748, 420),
    Rung::new(1_812, 820, 643),
    Rung::new(1_921, 906, 1_128),
    Rung::new(2_048, 946, 1_935),
    Rung::new(2_170, 981, 3_260),
    Rung::new(2_275, 1_000, 5_890),
    Rung::new(2_382, 1_000, 10_000),
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
