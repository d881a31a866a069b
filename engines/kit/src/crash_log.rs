//! The lines to report after a panic.

use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{mem, panic};

/// The engine's current work, as lines that it received. Any thread may read it.
#[derive(Debug, Default)]
pub struct CrashLog(Mutex<Lines>);

#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The last `position` line carried out; empty before the first.
    pub(crate) position: String,
    /// The line that the session carries out, or that started the running job.
    pub(crate) current: String,
}

impl CrashLog {
    /// Installs a panic hook that writes the lines to standard error, once.
    pub fn install(self: Arc<CrashLog>, engine: &'static str) {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            report(panic);
            let Lines { position, current } = mem::take(&mut *self.lock());
            if !current.is_empty() {
                let text = [position, current].join("\n");
                let text = text.trim_start();
                let text = format!("error: {engine} panicked. These lines led to it:\n{text}\n");
                // If standard error is closed, there is no way to report.
                let _ = std::io::stderr().write_all(text.as_bytes());
            }
        }));
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
