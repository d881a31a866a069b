//! Child processes: process groups and exit status.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process_group, waitid, waitpgid,
};

/// End of a process, or the pipe that it closed while running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Death {
    /// Exited with this status.
    #[error("exited with status {0}")]
    Exited(i32),
    /// Killed by this signal.
    #[error("was killed by signal {0}")]
    Killed(i32),
    /// Running, but its output is closed.
    #[error("closed its output")]
    ClosedOutput,
    /// Running, but its input is closed.
    #[error("closed its input")]
    ClosedInput,
}

/// Longest polling interval, for systems that cannot wait for a child with a timeout.
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// Gives the child a separate process group, so that [`kill_group`] also reaches its descendants.
pub(crate) fn own_group(command: &mut Command) {
    command.process_group(0);
}

/// Kills the process group of a child. The child must not have been reaped yet, so that the group's id cannot have been
/// reused.
pub(crate) fn kill_group(child: &Child) {
    // Fails if no process is left, which is fine.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

/// Reaps a child and the orphans of its killed group, as far as they end before the deadline.
pub(crate) fn reap_group(child: &Child, deadline: Instant) {
    let group = Pid::from_child(child);
    while let Ok(ended) = waitpgid(group, WaitOptions::NOHANG) {
        if ended.is_none() {
            if Instant::now() >= deadline {
                return;
            }
            thread::sleep(Duration::from_micros(200));
        }
    }
}

/// The exit status of the child, if it has ended. Does not reap it.
pub(crate) fn exited(child: &Child) -> Option<Death> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    let status = waitid(WaitId::Pid(Pid::from_child(child)), options).ok()??;
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Some(Death::Exited(code)),
        (None, Some(signal)) => Some(Death::Killed(signal)),
        (None, None) => None,
    }
}

/// Waits until the deadline for the child to end; `None` if it is still running.
pub(crate) fn await_exit(child: &Child, deadline: Instant) -> Option<Death> {
    let mut pause = Duration::from_micros(50);
    loop {
        let death = exited(child);
        let left = deadline.saturating_duration_since(Instant::now());
        if death.is_some() || left.is_zero() {
            return death;
        }
        if !wait_for_exit(child, left) {
            thread::sleep(pause.min(left));
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }
}

/// Waits until the child ends or the time has passed; `false` if the system does not support this.
#[cfg(target_os = "linux")]
fn wait_for_exit(child: &Child, time: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{PidfdFlags, pidfd_open};

    let Ok(fd) = pidfd_open(Pid::from_child(child), PidfdFlags::empty()) else {
        return false;
    };
    let Ok(time) = Timespec::try_from(time) else {
        return false;
    };
    // The caller repeats an interrupted wait.
    poll(&mut [PollFd::new(&fd, PollFlags::IN)], Some(&time)).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn wait_for_exit(_: &Child, _: Duration) -> bool {
    false
}
