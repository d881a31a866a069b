//! Ledger lines other than games.

use serde::{Deserialize, Serialize};

use super::checksum;

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

/// The length of all complete lines in bytes: the whole lines, and a last line that lacks its line break but has a
/// correct checksum.
pub(super) fn complete_lines(bytes: &[u8]) -> usize {
    let whole = whole_lines(bytes);
    match checksum::is_right(&bytes[whole..]) {
        true => bytes.len(),
        false => whole,
    }
}
