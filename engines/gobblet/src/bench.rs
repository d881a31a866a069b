//! The positions and the limit of `bench`.

use kit::search::{Ladder, Rung};
use kit::tablebase::{Indexing, Tabulated};
use kit::{Bench, BenchLimit, Engine};

use crate::Gobblet;

/// Measured on 3x3: Elo points over a player that moves at random.
const RUNGS_3: &[Rung] = &[
    Rung::new(0, 5, 5),
    Rung::new(67, 28, 8),
    Rung::new(133, 45, 9),
    Rung::new(178, 66, 11),
    Rung::new(236, 88, 13),
    Rung::new(290, 118, 17),
    Rung::new(337, 156, 23),
    Rung::new(383, 193, 29),
    Rung::new(451, 258, 35),
    Rung::new(511, 332, 49),
    Rung::new(590, 406, 71),
    Rung::new(663, 455, 86),
    Rung::new(727, 505, 103),
    Rung::new(793, 573, 151),
    Rung::new(874, 654, 240),
    Rung::new(897, 729, 372),
    Rung::new(966, 790, 525),
    Rung::new(1_078, 851, 779),
    Rung::new(1_116, 910, 1_200),
    Rung::new(1_199, 956, 2_257),
    Rung::new(1_217, 1_000, 4_000),
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
