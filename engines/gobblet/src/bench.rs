//! The positions and the limit of `bench`.

use kit::search::{Ladder, Rung};
use kit::tablebase::{Indexing, Tabulated};
use kit::{Bench, BenchLimit, Engine};

use crate::Gobblet;

/// Measured on 3x3: Elo points over a player that moves at random.
const RUNGS_3: &[Rung] = &[
    Rung::new(0, 5, 5),
    Rung::new(30, 20, 8),
    Rung::new(140, 50, 10),
    Rung::new(275, 100, 15),
    Rung::new(440, 200, 30),
    Rung::new(525, 300, 40),
    Rung::new(605, 400, 70),
    Rung::new(730, 500, 100),
    Rung::new(820, 600, 170),
    Rung::new(890, 700, 300),
    Rung::new(990, 800, 550),
    Rung::new(1_090, 900, 1_000),
    Rung::new(1_155, 950, 2_000),
    Rung::new(1_225, 1_000, 4_000),
];

/// The same on 4x4.
const RUNGS_4: &[Rung] = &[
    Rung::new(40, 2, 5),
    Rung::new(110, 5, 5),
    Rung::new(270, 20, 8),
    Rung::new(470, 50, 10),
    Rung::new(750, 100, 15),
    Rung::new(1_000, 200, 30),
    Rung::new(1_150, 300, 40),
    Rung::new(1_290, 400, 70),
    Rung::new(1_415, 500, 100),
    Rung::new(1_530, 600, 170),
    Rung::new(1_760, 700, 300),
    Rung::new(1_985, 800, 550),
    Rung::new(2_195, 900, 1_000),
    Rung::new(2_400, 950, 2_000),
    Rung::new(2_560, 1_000, 4_000),
];

impl Engine for Gobblet {
    const AUTHOR: &'static str = "the Linesman authors";
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(9),
        positions: include_str!("bench.txt"),
    };

    fn indexing(&self) -> Option<Box<dyn Indexing<Gobblet>>> {
        let graph = self.graph().ok()?;
        Some(Box::new(graph))
    }

    fn ladder(&self) -> Ladder {
        let rungs = match self.board.width() {
            3 => RUNGS_3,
            _ => RUNGS_4,
        };
        Ladder { rungs }
    }
}
