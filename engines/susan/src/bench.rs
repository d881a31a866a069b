//! The positions and the limit of `bench`.

use kit::tablebase::{Numbering, Tabulated};
use kit::{Bench, BenchLimit, Engine};

use crate::Susan;

impl Engine for Susan {
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(6),
        positions: include_str!("bench.txt"),
    };

    fn numbering(&self) -> Option<Box<dyn Numbering<Susan>>> {
        let graph = self.graph().ok()?;
        Some(Box::new(graph))
    }
}
