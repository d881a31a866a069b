//! Memory that the system may not give: a failed allocation of a `Vec` would abort the program.

/// Memory left for threads, buffers and messages when a table or tree is allocated.
const RESERVE: usize = 4 << 20;

/// `true` if the system can allocate `n` values of this type.
pub(super) fn can_allocate<T>(n: usize) -> bool {
    Vec::<T>::new().try_reserve_exact(n).is_ok()
}

/// `true` if the system can allocate `n` values of this type and [`RESERVE`] bytes.
pub(super) fn can_spare<T>(n: usize) -> bool {
    n.checked_mul(size_of::<T>())
        .and_then(|bytes| bytes.checked_add(RESERVE))
        .is_some_and(can_allocate::<u8>)
}

/// `true` if the system can allocate a table of so many MiB, and has some memory left then.
pub fn has_memory(mib: usize) -> bool {
    can_spare::<[u8; 1 << 20]>(mib)
}

/// `true` if a search has memory for its buffers.
pub(super) fn is_enough_to_search() -> bool {
    can_allocate::<u8>(RESERVE / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allocation_that_would_fail_is_noticed_before() {
        assert!(can_allocate::<u64>(4) && can_spare::<u64>(4));
        assert!(!can_allocate::<u64>(usize::MAX / size_of::<u64>()));
        assert!(!can_spare::<u64>(usize::MAX / size_of::<u64>()));
    }
}
