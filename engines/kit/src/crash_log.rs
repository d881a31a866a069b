//! Commands to report after a panic: lines that reproduce the state of the engine.

use std::io::Write;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// The current state of a session and its job. Any thread may read it.
#[derive(Debug, Default)]
pub struct CrashLog {
    state: Mutex<CrashState>,
    is_written: AtomicBool,
}

#[derive(Debug, Default)]
struct CrashState {
    /// `setoption` lines of the options that are not at their defaults.
    options: Vec<String>,
    /// The last `position` line carried out; empty before the first.
    position: String,
    /// The current command of the session, or its last one.
    command: String,
    /// The thread that drives the session.
    session: Option<ThreadId>,
    /// The `go` line of the running job, or of the last one.
    job: String,
}

impl CrashLog {
    /// Records that the session, driven by this thread, begins to carry out a command.
    pub fn begin(&self, command: String) {
        let mut state = self.lock();
        state.command = command;
        state.session = Some(thread::current().id());
    }

    /// Records that the current command has started a job.
    pub fn start_job(&self) {
        let mut state = self.lock();
        state.job = state.command.clone();
    }

    /// Records the session's new position.
    pub fn set_position(&self, line: String) {
        self.lock().position = line;
    }

    /// The last `position` line carried out; empty before the first.
    pub(crate) fn position(&self) -> String {
        self.lock().position.clone()
    }

    /// Records the session's new options.
    pub fn set_options(&self, lines: Vec<String>) {
        self.lock().options = lines;
    }

    /// Lines that reproduce what the current thread is doing: options, position, command. Any thread except the
    /// session's is taken to run the job.
    pub fn lines(&self) -> Vec<String> {
        let state = self.lock();
        let is_session = state.session == Some(thread::current().id());
        let command = if is_session {
            &state.command
        } else {
            &state.job
        };
        let last = [&state.position, command];
        let all = state.options.iter().chain(last);
        all.filter(|line| !line.is_empty()).cloned().collect()
    }

    /// Installs a panic hook that writes these lines to standard error, once.
    pub fn install(self: Arc<CrashLog>, engine: &'static str) {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            report(panic);
            if !self.is_written.swap(true, Relaxed) {
                let lines = self.lines().join("\n");
                let text = format!("error: {engine} panicked. These lines led to it:\n{lines}\n");
                // If standard error is closed, there is no way to report.
                let _ = std::io::stderr().write_all(text.as_bytes());
            }
        }));
    }

    fn lock(&self) -> MutexGuard<'_, CrashState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_session_is_told_by_its_command_and_any_other_thread_by_the_job() {
        let log = CrashLog::default();
        log.set_options(vec!["setoption name Size value 3".to_owned()]);
        log.begin("go depth 5".to_owned());
        log.start_job();
        log.set_position("position startpos moves a1".to_owned());
        log.begin("query fen".to_owned());
        let common = ["setoption name Size value 3", "position startpos moves a1"];
        assert_eq!(log.lines(), [&common[..], &["query fen"]].concat());
        let of_job = thread::scope(|scope| scope.spawn(|| log.lines()).join()).expect("no panic");
        assert_eq!(of_job, [&common[..], &["go depth 5"]].concat());
    }
}
