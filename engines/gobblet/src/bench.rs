//! The positions and the limit of `bench`.

use kit::{Bench, BenchLimit, Engine};

use crate::Gobblet;

impl Engine for Gobblet {
    const BENCH: Bench = Bench {
        limit: BenchLimit::Depth(9),
        positions: include_str!("bench.txt"),
    };
}
