//! The positions and the limit of `bench`.

use kit::search::{Ladder, Rung};
use kit::{Bench, BenchLimit, Engine};

use crate::GraphHockey;

/// Measured: Elo points over a player that moves at random.
const RUNGS: &[Rung] = &[
    Rung::new(20, 5, 5),
    Rung::new(120, 50, 10),
    Rung::new(258, 100, 15),
    Rung::new(685, 200, 30),
    Rung::new(965, 300, 40),
    Rung::new(1_100, 400, 70),
    Rung::new(1_185, 500, 100),
    Rung::new(1_235, 600, 170),
    Rung::new(1_290, 700, 300),
    Rung::new(1_400, 1_000, 1_000),
];

impl Engine for GraphHockey {
    const AUTHOR: &'static str = "the Linesman authors";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(10),
        positions: include_str!("bench.txt"),
    };

    fn ladder(&self) -> Ladder {
        Ladder { rungs: RUNGS }
    }
}
