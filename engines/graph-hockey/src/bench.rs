//! What the search is measured by.

use kit::{Bench, Engine};

use crate::GraphHockey;

impl Engine for GraphHockey {
    const BENCH: Bench = Bench {
        depth: 12,
        positions: include_str!("bench.txt"),
    };
}
