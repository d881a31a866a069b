//! The positions and the limit of `bench`.

use kit::search::{Ladder, Rung};
use kit::{Bench, BenchLimit, Engine};

use crate::Projex;

/// Measured: Elo points over a player that moves at random.
const RUNGS: &[Rung] = &[
    Rung::new(0, 5, 2),
    Rung::new(50, 20, 3),
    Rung::new(230, 50, 5),
    Rung::new(520, 100, 7),
    Rung::new(815, 200, 13),
    Rung::new(1_085, 300, 20),
    Rung::new(1_230, 400, 30),
    Rung::new(1_410, 500, 40),
    Rung::new(1_550, 600, 56),
    Rung::new(1_700, 700, 80),
    Rung::new(1_800, 800, 110),
    Rung::new(1_935, 900, 160),
    Rung::new(2_025, 950, 250),
    Rung::new(2_105, 1_000, 400),
    Rung::new(2_350, 1_000, 1_500),
];

impl Engine for Projex {
    const AUTHOR: &'static str = "the Linesman authors";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Games(2_000),
        positions: include_str!("bench.txt"),
    };

    fn ladder(&self) -> Ladder {
        Ladder { rungs: RUNGS }
    }
}
