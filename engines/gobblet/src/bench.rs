//! What the search is measured by.

use kit::{Bench, Engine};

use crate::Gobblet;

impl Engine for Gobblet {
    const BENCH: Bench = Bench {
        depth: 9,
        positions: include_str!("bench.txt"),
    };
}
