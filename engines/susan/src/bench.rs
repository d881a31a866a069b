//! The positions and the limit of `bench`.

use kit::tablebase::{Indexing, Tabulated};
use kit::{Bench, BenchLimit, Engine};

use crate::Susan;

impl Engine for Susan {
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(6),
        positions: include_str!("bench.txt"),
    };

    fn indexing(&self) -> Option<Box<dyn Indexing<Susan>>> {
        let graph = self.graph().ok()?;
        Some(Box::new(graph))
    }
}
