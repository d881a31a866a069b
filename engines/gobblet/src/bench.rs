//! The positions and the limit of `bench`.

use kit::tablebase::{Numbering, Tabulated};
use kit::{Bench, BenchLimit, Engine};

use crate::Gobblet;

impl Engine for Gobblet {
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(9),
        positions: include_str!("bench.txt"),
    };

    fn numbering(&self) -> Option<Box<dyn Numbering<Gobblet>>> {
        let graph = self.graph().ok()?;
        Some(Box::new(graph))
    }
}
