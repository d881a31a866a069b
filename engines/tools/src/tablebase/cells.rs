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

macro_rules! shared_code {
    ($atomic:ident, $code:ident, $max_plies:path) => {
        impl SharedCode for $atomic {
            const MAX_PLIES: u32 = $max_plies;
            const N_BYTES: usize = size_of::<$code>();

            fn zeroed(n: usize) -> Result<Vec<$atomic>, TryReserveError> {
                Vec::<$code>::new().try_reserve_exact(n)?;
                // Compiled to nothing but a change of the type.
                Ok(vec![0; n].into_iter().map($atomic::new).collect())
            }

            #[inline]
            fn load(&self) -> u16 {
                u16::from($atomic::load(self, Relaxed))
            }

            #[inline]
            fn store(&self, code: u16) {
                $atomic::store(self, code as $code, Relaxed);
            }
        }
    };
}

shared_code!(AtomicU8, u8, kit::tablebase::MAX_PLIES_OF_BYTE);
shared_code!(AtomicU16, u16, kit::tablebase::MAX_PLIES);

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
