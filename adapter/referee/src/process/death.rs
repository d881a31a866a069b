//! How a process ended.

use std::fmt;

/// How a process ended, or why nobody can talk with it any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal.
    Killed(i32),
    /// It runs, but its output is closed.
    ClosedOutput,
    /// It runs, but its input is closed.
    ClosedInput,
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Death::Exited(status) => write!(f, "exited with status {status}"),
            Death::Killed(signal) => write!(f, "was killed by signal {signal}"),
            Death::ClosedOutput => f.write_str("closed its output"),
            Death::ClosedInput => f.write_str("closed its input"),
        }
    }
}
