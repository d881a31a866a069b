//! The positions and the limit of `bench`.

use kit::tablebase::{Indexing, Tabulated};
use kit::{Bench, BenchLimit, Engine};

use crate::Entropy;

impl Engine for Entropy {
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(10),
        positions: include_str!("bench.txt"),
    };

    fn indexing(&self) -> Option<Box<dyn Indexing<Entropy>>> {
        let graph = self.graph().ok()?;
        Some(Box::new(graph))
    }
}
