//! The positions and the limit of `bench`.

use kit::{Bench, BenchLimit, Engine};

use crate::Projex;

impl Engine for Projex {
    const BENCH: Bench = Bench {
        limit: BenchLimit::Games(2_000),
        positions: include_str!("bench.txt"),
    };
}
