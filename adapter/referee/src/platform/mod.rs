//! Operating system interface: all Unix-specific code of the referee.
//!
//! Supports Linux and macOS. A port to another system only replaces the functions of this module.

mod children;
mod orphans;
mod system;
mod wake;

pub use children::Death;
pub(crate) use children::{await_exit, exited, kill_group, own_group, reap_group};
pub(crate) use orphans::{adopt_orphans, kill_children, mark, watch_group};
pub(crate) use system::{
    Pipes, allowed_cpus, check_writable, limit_memory, max_descriptors, max_processes,
    open_descriptors, open_to_append, poll_pipes, set_nonblocking, spawn_on, spread_over_cores,
};
pub use wake::{Alarm, Waker, waker};

use std::io;

use rustix::io::Errno;

/// `true` if the error means a shortage of descriptors, processes, threads or memory.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    const SHORTAGES: [Errno; 4] = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
    let code = error.raw_os_error();
    SHORTAGES
        .iter()
        .any(|errno| code == Some(errno.raw_os_error()))
}
