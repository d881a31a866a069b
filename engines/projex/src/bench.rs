//! What the search is measured by.

use kit::{Bench, Engine};

use crate::Projex;

impl Engine for Projex {
    const BENCH: Bench = Bench {
        depth: 4,
        positions: include_str!("bench.txt"),
    };
}
