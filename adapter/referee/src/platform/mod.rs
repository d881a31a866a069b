//! Operating system interface: all Unix-specific code of the referee.
//!
//! Supports Linux and macOS. A port to another system only replaces the functions of this module.

mod children;
mod system;

pub use children::*;
pub use system::*;

pub(crate) use std::os::fd::{AsFd, BorrowedFd};

use std::io;

use rustix::io::Errno;

/// `true` if the error means a shortage of descriptors, processes, threads or memory.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    const SHORTAGES: [Errno; 4] = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|errno| SHORTAGES.contains(&errno))
}

/// `true` if a file is neither a program of this machine nor a script that names one.
pub(crate) fn is_no_program(error: &io::Error) -> bool {
    Errno::from_io_error(error) == Some(Errno::NOEXEC)
}
