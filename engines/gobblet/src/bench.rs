//! The positions and the limit of `bench`.

use kit::tablebase::{Indexing, Tabulated};
use kit::{Bench, BenchLimit, Engine};

use crate::Gobblet;

impl Engine for Gobblet {
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(9),
        positions: include_str!("bench.txt"),
    };

    fn indexing(&self) -> Option<Box<dyn Indexing<Gobblet>>> {
        let graph = self.graph().ok()?;
        Some(Box::new(graph))
    }
}
