//! Signals for running commands.

use rustix::process::{Pid, Signal, kill_process};

use crate::support::Run;

/// Sends SIGTERM.
pub(super) fn terminate(run: &Run) {
    signal(run, Signal::TERM);
}

/// Sends SIGINT.
pub(super) fn interrupt(run: &Run) {
    signal(run, Signal::INT);
}

/// Sends SIGKILL.
pub(super) fn kill(run: &Run) {
    signal(run, Signal::KILL);
}

/// Sends SIGSTOP.
pub(super) fn pause(run: &Run) {
    signal(run, Signal::STOP);
}

/// Sends SIGCONT.
pub(super) fn resume(run: &Run) {
    signal(run, Signal::CONT);
}

fn signal(run: &Run, signal: Signal) {
    let pid = i32::try_from(run.pid()).ok().and_then(Pid::from_raw);
    kill_process(pid.expect("a process"), signal).expect("it runs");
}
