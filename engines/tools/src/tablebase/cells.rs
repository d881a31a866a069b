//! The codes of all positions in memory, while they are solved.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

use kit::tablebase::code::win;

/// `true` if this is the code of a win in fewer plies than `plies`.
#[inline]
pub(super) const fn is_win_before(code: u16, plies: u32) -> bool {
    code >= win(0) && code.is_multiple_of(2) && code < win(plies)
}

/// A code that threads share. Two threads that write the same cell at once always write the same code, so no order is
/// needed.
pub(super) trait SharedCode: Sized + Send + Sync {
    /// The distance that it can hold.
    const MAX_PLIES: u32;
    const N_BYTES: usize;

    /// Cells of code 0. The system clears each page when it is first used, by the thread that uses it.
    fn zeroed(n: usize) -> Result<Vec<Self>, TryReserveError>;
    fn load(&self) -> u16;
    fn store(&self, code: u16);
}

impl SharedCode for AtomicU8 {
    const MAX_PLIES: u32 = kit::tablebase::MAX_PLIES_OF_BYTE;
    const N_BYTES: usize = 1;

    fn zeroed(n: usize) -> Result<Vec<AtomicU8>, TryReserveError> {
        Vec::<u8>::new().try_reserve_exact(n)?;
        // Compiled to nothing but a change of the type.
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

impl SharedCode for AtomicU16 {
    const MAX_PLIES: u32 = kit::tablebase::MAX_PLIES;
    const N_BYTES: usize = 2;

    fn zeroed(n: usize) -> Result<Vec<AtomicU16>, TryReserveError> {
        Vec::<u16>::new().try_reserve_exact(n)?;
        // Compiled to nothing but a change of the type.
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
    use kit::tablebase::code::{CANDIDATE, DRAW, OPEN, UNUSED, loss};

    #[test]
    fn only_nearer_wins_are_wins_before() {
        assert!(is_win_before(win(2), 3));
        for code in [win(3), win(4), loss(1), OPEN, CANDIDATE, DRAW, UNUSED] {
            assert!(!is_win_before(code, 3), "{code}");
        }
    }
}
