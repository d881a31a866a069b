//! The positions and the limit of `bench`.

use std::sync::LazyLock;

use kit::search::{Ladder, Rung};
use kit::tablebase::{Indexing, Tabulated};
use kit::{Bench, BenchLimit, Engine};

use crate::Gobblet;

/// Measured on 3x3: Elo points over a player that moves at random.
static RUNGS_3: LazyLock<Vec<Rung>> =
    LazyLock::new(|| Rung::parse_table(include_str!("ladder_3.txt")));

/// The same on 4x4.
static RUNGS_4: LazyLock<Vec<Rung>> =
    LazyLock::new(|| Rung::parse_table(include_str!("ladder_4.txt")));

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
            3 => &RUNGS_3,
            _ => &RUNGS_4,
        };
        Ladder { rungs }
    }
}
