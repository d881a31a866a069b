//! The helper threads of a search: as many as requested, or as many as memory allows.

use std::io;
use std::thread::{self, Scope};

use crossbeam_channel::bounded;

use super::memory::can_allocate;

/// Memory that must be available before a thread is started: for its stack, for the 64 MiB of address space that the C
/// library reserves for a new thread's heap, and for its search buffers.
const MEMORY_PER_THREAD: usize = 96 << 20;

/// The running helper threads, and the reason if there are fewer than requested.
pub(super) struct Helpers {
    pub(super) count: usize,
    failure: Option<io::Error>,
}

impl Helpers {
    /// Starts helper threads, numbered from 1, until one cannot be started. `search` returns the function that a helper
    /// runs.
    ///
    /// Each thread allocates its first memory before the next one is started, because a thread that finds no memory at
    /// that point ends the program. All begin to search together, so that searching threads do not delay the start of
    /// others.
    pub(super) fn start<'scope, F: FnOnce() + Send + 'scope>(
        scope: &'scope Scope<'scope, '_>,
        count: usize,
        mut search: impl FnMut(usize) -> F,
    ) -> Helpers {
        // No message is sent: the helpers block until `_hold` is dropped after the last start.
        let (_hold, is_released) = bounded::<()>(0);
        for number in 1..=count {
            let started = match can_allocate::<u8>(MEMORY_PER_THREAD) {
                true => {
                    let search = search(number);
                    let is_released = is_released.clone();
                    let (begins, has_begun) = bounded(1);
                    let run = move || {
                        let _ = begins.send(());
                        let _ = is_released.recv();
                        search();
                    };
                    let started = thread::Builder::new().spawn_scoped(scope, run);
                    started.map(|_| has_begun.recv())
                }
                false => Err(io::ErrorKind::OutOfMemory.into()),
            };
            if let Err(why) = started {
                return Helpers {
                    count: number - 1,
                    failure: Some(why),
                };
            }
        }
        Helpers {
            count,
            failure: None,
        }
    }

    /// A note for the user if fewer threads run than `asked`, which includes the first one.
    pub(super) fn note(&self, asked: usize) -> Option<String> {
        let n_threads = self.count + 1;
        let failure = self.failure.as_ref();
        failure.map(|why| format!("Threads: only {n_threads} of {asked} could be started: {why}"))
    }
}
