//! The positions and the limit of `bench`.

use kit::tablebase::{Numbering, Tabulated};
use kit::{Bench, BenchLimit, Engine};

use crate::Entropy;

impl Engine for Entropy {
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(10),
        positions: include_str!("bench.txt"),
    };

    fn numbering(&self) -> Option<Box<dyn Numbering<Entropy>>> {
        let graph = self.graph().ok()?;
        Some(Box::new(graph))
    }
}
