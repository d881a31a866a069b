//! The positions and the limit of `bench`.

use kit::{Bench, BenchLimit, Engine};

use crate::Susan;

impl Engine for Susan {
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(6),
        positions: include_str!("bench.txt"),
    };
}
