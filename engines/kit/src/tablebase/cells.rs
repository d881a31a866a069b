//! The value and distance of a position in memory, encoded as a 16-bit code.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

use crate::puzzle::Value;

/// A position without a known value; after solving, a draw.
pub(super) const OPEN: u16 = 0;
/// An open position with a move to a position won for the opponent, so all its moves must be examined.
pub(super) const CANDIDATE: u16 = 1;
/// A position known to be a draw from the beginning.
pub(super) const DRAW: u16 = 2;
/// An unused index.
pub(super) const UNUSED: u16 = 3;
/// First code of wins and losses, ordered by distance, a win before a loss.
const DECIDED: u16 = 4;
/// With move counts, an open position is this plus the number of moves that do not lead to a win of the opponent, at
/// least one; after solving, a draw. Only cells of two bytes can hold it.
pub(super) const COUNT: u16 = 1 << 15;

/// Number of codes without move counts.
pub(super) const N_CODES: usize = loss(super::MAX_PLIES) as usize + 1;

/// A decoded code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decoded {
    Draw,
    Unused,
    Win(u16),
    Loss(u16),
}

/// The code of a win in this many plies.
pub(super) const fn win(plies: u32) -> u16 {
    DECIDED + 2 * plies as u16
}

/// The code of a loss in this many plies.
pub(super) const fn loss(plies: u32) -> u16 {
    win(plies) + 1
}

pub(super) const fn code(value: Value) -> u16 {
    match value {
        Value::Win(plies) => win(plies),
        Value::Loss(plies) => loss(plies),
        Value::Draw => DRAW,
    }
}

pub(super) const fn decode(code: u16) -> Decoded {
    match code {
        UNUSED => Decoded::Unused,
        OPEN | CANDIDATE | DRAW | COUNT.. => Decoded::Draw,
        _ if code.is_multiple_of(2) => Decoded::Win((code - DECIDED) / 2),
        _ => Decoded::Loss((code - DECIDED) / 2),
    }
}

/// `true` for the code of a win in fewer plies than `plies`.
#[inline]
pub(super) const fn is_win_before(code: u16, plies: u32) -> bool {
    code >= DECIDED && code.is_multiple_of(2) && code < win(plies)
}

/// A code shared by threads. Two threads that write the same cell at the same time always write the same code, so
/// relaxed ordering is enough.
pub(super) trait Cell: Sized + Send + Sync {
    /// Maximum distance in plies that it can hold.
    const MAX_PLIES: u32;
    const N_BYTES: usize;

    /// Allocates `n` cells of code 0. The system zeroes each page on first use, on the thread that uses it.
    fn zeroed(n: usize) -> Result<Vec<Self>, TryReserveError>;
    fn load(&self) -> u16;
    fn store(&self, code: u16);
}

impl Cell for AtomicU8 {
    const MAX_PLIES: u32 = super::MAX_PLIES_OF_BYTE;
    const N_BYTES: usize = 1;

    fn zeroed(n: usize) -> Result<Vec<AtomicU8>, TryReserveError> {
        Vec::<u8>::new().try_reserve_exact(n)?;
        // Compiles to a change of type only.
        Ok(vec![0; n].into_iter().map(AtomicU8::new).collect())
    }
    #[inline]
    fn load(&self) -> u16 {
        u16::from(AtomicU8::load(self, Relaxed))
    }

    #[inline]
    fn store(&self, code: u16) {
        AtomicU8::store(self, code as u8, Relaxed);
    }
}

impl Cell for AtomicU16 {
    const MAX_PLIES: u32 = super::MAX_PLIES;
    const N_BYTES: usize = 2;

    fn zeroed(n: usize) -> Result<Vec<AtomicU16>, TryReserveError> {
        Vec::<u16>::new().try_reserve_exact(n)?;
        // Compiles to a change of type only.
        Ok(vec![0; n].into_iter().map(AtomicU16::new).collect())
    }
    #[inline]
    fn load(&self) -> u16 {
        AtomicU16::load(self, Relaxed)
    }

    #[inline]
    fn store(&self, code: u16) {
        AtomicU16::store(self, code, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_read_back_and_the_longest_distances_fit() {
        for plies in 0..=super::super::MAX_PLIES as u16 {
            assert_eq!(decode(win(u32::from(plies))), Decoded::Win(plies));
            assert_eq!(decode(loss(u32::from(plies))), Decoded::Loss(plies));
        }
        assert_eq!(loss(AtomicU8::MAX_PLIES), 255);
        for open in [OPEN, COUNT + 1, COUNT + 99] {
            assert_eq!(decode(open), Decoded::Draw);
        }
        assert_eq!(decode(code(Value::Draw)), Decoded::Draw);
        assert_eq!(decode(UNUSED), Decoded::Unused);
    }

    #[test]
    fn only_nearer_wins_are_wins_before() {
        assert!(is_win_before(win(2), 3));
        for code in [win(3), win(4), loss(1), OPEN, CANDIDATE, DRAW, UNUSED] {
            assert!(!is_win_before(code, 3), "{code}");
        }
    }
}
