//! Ledger lines other than games.

use serde::{Deserialize, Serialize};

/// The first line of a ledger.
#[derive(Serialize, Deserialize)]
pub(super) struct PlanLine<P> {
    pub(super) plan: P,
}

/// A line that extends a match by more games.
#[derive(Serialize, Deserialize)]
pub(super) struct ExtendLine<E> {
    pub(super) extend: E,
}

/// The length of all whole lines in bytes; anything after them is a torn line, cut off by a crash.
pub fn whole_lines(bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1)
}
