//! Memory and threads that the system may not give.
//!
//! A failed allocation of a `Vec` would abort the program, so memory is reserved before. A search has as many helper
//! threads as requested, or as many as can be started.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Scope};

use crossbeam_channel::{Receiver, bounded};

/// Memory left for threads, buffers and messages when a table or tree is allocated.
const RESERVE: usize = 4 << 20;

/// `true` if the system can allocate `n` values of this type.
pub(super) fn can_allocate<T>(n: usize) -> bool {
    Vec::<T>::new().try_reserve_exact(n).is_ok()
}

/// `true` if the system can allocate `n` values of this type, and has some memory left then.
pub fn can_spare<T>(n: usize) -> bool {
    n.checked_mul(size_of::<T>())
        .and_then(|bytes| bytes.checked_add(RESERVE))
        .is_some_and(can_allocate::<u8>)
}

/// `true` if the system can allocate a table of `mib` MiB, and has some memory left then.
pub fn has_memory(mib: usize) -> bool {
    can_spare::<[u8; 1 << 20]>(mib)
}

/// `true` if a search has memory for its buffers.
pub(super) fn is_enough_to_search() -> bool {
    can_allocate::<u8>(RESERVE / 2)
}

/// Memory that must be available before a thread is started: for its stack, for the 64 MiB of address space that the C
/// library reserves for a new thread's heap, and for its search buffers.
const MEMORY_PER_THREAD: usize = 96 << 20;

/// Sets a flag also after a panic.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The work of a helper thread.
pub type Help<'env> = Box<dyn FnOnce() + Send + 'env>;

/// Runs `lead` on this thread, in parallel with up to `n_helpers` helper threads, numbered from 1. `help` returns the
/// function that a helper runs until `halt` is set, which it is when `lead` returns. `lead` receives the number of helper
/// threads, and a note for the user if there are fewer than requested. It is not generic, as threads are long code in each
/// game.
///
/// Each thread allocates its first memory before the next one is started, because a thread that finds no memory at that
/// point ends the program. All begin to search together, so that searching threads do not delay the start of others.
pub fn with_helpers<'env>(
    halt: &'env AtomicBool,
    n_helpers: usize,
    help: &mut dyn FnMut(usize) -> Help<'env>,
    lead: &mut dyn FnMut(usize, Option<String>),
) {
    thread::scope(|scope| {
        let _guard = SetOnDrop(halt);
        // No message is sent: the helpers block until `hold` is dropped after the last start.
        let (hold, is_released) = bounded::<()>(0);
        let (mut count, mut note) = (0, None);
        while count < n_helpers && note.is_none() {
            let started = match can_allocate::<u8>(MEMORY_PER_THREAD) {
                true => start_helper(scope, help(count + 1), is_released.clone()),
                false => Err(io::ErrorKind::OutOfMemory.into()),
            };
            match started {
                Ok(()) => count += 1,
                Err(why) => {
                    let [running, asked] = [count, n_helpers].map(|helpers| helpers + 1);
                    let text =
                        format!("Threads: only {running} of {asked} could be started: {why}");
                    note = Some(text);
                }
            }
        }
        drop(hold);
        lead(count, note);
    });
}

fn start_helper<'scope>(
    scope: &'scope Scope<'scope, '_>,
    search: Help<'scope>,
    is_released: Receiver<()>,
) -> io::Result<()> {
    let (begins, has_begun) = bounded(1);
    let run = move || {
        let _ = begins.send(());
        let _ = is_released.recv();
        search();
    };
    thread::Builder::new().spawn_scoped(scope, run)?;
    let _ = has_begun.recv();
    Ok(())
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
