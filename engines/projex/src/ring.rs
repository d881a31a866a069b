//! The cells around a cell, as bits.

/// The cells of a ring of length `n` that have a stone of the mask on both sides.
#[inline]
pub(crate) const fn between(stones: u8, n: usize) -> u8 {
    let before = stones << 1 | stones >> (n - 1);
    let after = stones >> 1 | stones << (n - 1);
    before & after
}
