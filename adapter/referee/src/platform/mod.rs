//! Operating system interface: all Unix-specific code of the referee.
//!
//! Supports Linux and macOS. A port to another system only replaces the functions of this module.

mod children;
mod system;

pub use children::Death;
pub(crate) use children::{
    adopt_orphans, await_exit, exited, kill_children, kill_group, mark, own_group, reap_group,
    watch_group,
};
pub use system::{Alarm, Waker, waker};
pub(crate) use system::{
    allowed_cpus, check_writable, limit_memory, max_descriptors, max_processes, open_descriptors,
    open_to_append, poll_pipes, readable, set_nonblocking, spawn_on, spread_over_cores, writable,
};

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
