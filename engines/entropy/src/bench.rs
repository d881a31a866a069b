//! What the search is measured by.

use kit::{Bench, Engine};

use crate::Entropy;

impl Engine for Entropy {
    const BENCH: Bench = Bench {
        depth: 10,
        positions: include_str!("bench.txt"),
    };
}
