//! The positions and the limit of `bench`.

use kit::search::{Ladder, Rung};
use kit::{Bench, BenchLimit, Engine};

use crate::Projex;

/// Measured: Elo points over a player that moves at random.
const RUNGS: &[Rung] = &[
    Rung::new(0, 5, 2),
    Rung::new(139, 31, 3),
    Rung::new(270, 50, 5),
    Rung::new(395, 71, 5),
    Rung::new(505, 91, 6),
    Rung::new(622, 123, 8),
    Rung::new(736, 162, 10),
    Rung::new(838, 202, 13),
    Rung::new(929, 246, 16),
    Rung::new(1_019, 290, 19),
    Rung::new(1_133, 362, 26),
    Rung::new(1_247, 435, 33),
    Rung::new(1_371, 500, 40),
    Rung::new(1_496, 584, 53),
    Rung::new(1_613, 663, 71),
    Rung::new(1_738, 763, 98),
    Rung::new(1_880, 859, 139),
    Rung::new(2_016, 935, 223),
    Rung::new(2_125, 1_000, 444),
    Rung::new(2_231, 1_000, 974),
    Rung::new(2_311, 1_000, 1_500),
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
