//! The helper threads of a search: as many as were asked for, or as many as there is memory for.

use std::io;
use std::thread::{self, Scope};

use crossbeam_channel::bounded;

use super::table::can_allocate;

/// Memory that must be left before a thread is started: for its stack, for the 64 MiB of addresses that the C library reserves
/// for what a new thread allocates, and for what it searches with.
const MEMORY_PER_THREAD: usize = 96 << 20;

/// The helper threads that run, and why there are not more.
pub(super) struct Helpers {
    pub(super) count: usize,
    failure: Option<io::Error>,
}

impl Helpers {
    /// Starts helper threads by their numbers, from 1, until one cannot be started; `search` makes what a helper runs.
    ///
    /// Each has taken its first memory before the next is started: otherwise a thread that finds no memory ends the program.
    /// They begin to search together, so that those that search delay no start.
    pub(super) fn start<'scope, F: FnOnce() + Send + 'scope>(
        scope: &'scope Scope<'scope, '_>,
        count: usize,
        mut search: impl FnMut(usize) -> F,
    ) -> Helpers {
        // Nothing is sent: the helpers wait until `_hold` is dropped, when all are started.
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

    /// What the user should know if fewer threads run than the `asked`, the first one included.
    pub(super) fn note(&self, asked: usize) -> Option<String> {
        let n_threads = self.count + 1;
        let failure = self.failure.as_ref();
        failure.map(|why| format!("Threads: only {n_threads} of {asked} could be started: {why}"))
    }
}
