//! What the search is measured by.

use kit::{Bench, Engine};

use crate::Susan;

impl Engine for Susan {
    const BENCH: Bench = Bench {
        depth: 6,
        positions: include_str!("bench.txt"),
    };
}
