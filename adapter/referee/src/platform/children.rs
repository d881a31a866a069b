//! Child processes: groups, and how a child ended.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::process::Death;

/// The longest pause between two looks at a child, where the system cannot wake us.
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// Has the child begin a process group of its own, so that [`kill_group`] also reaches its children.
pub(crate) fn own_group(command: &mut Command) {
    command.process_group(0);
}

/// Kills the process group of a child that was not reaped yet, so that its number cannot belong to anyone else.
pub(crate) fn kill_group(child: &Child) {
    // This fails if no process is left, as was wanted.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

/// How the child ended, if it has. It is not reaped.
pub(crate) fn exited(child: &Child) -> Option<Death> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    let status = waitid(WaitId::Pid(Pid::from_child(child)), options).ok()??;
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Some(Death::Exited(code)),
        (None, Some(signal)) => Some(Death::Killed(signal)),
        (None, None) => None,
    }
}

/// Waits until the deadline for the child to end; `None` if it still runs.
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

/// Waits for the child's end or so long; false if the system cannot do that.
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
    // An interrupted wait is repeated by the caller.
    poll(&mut [PollFd::new(&fd, PollFlags::IN)], Some(&time)).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn wait_for_exit(_: &Child, _: Duration) -> bool {
    false
}
