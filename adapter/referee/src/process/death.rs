//! The end of a process.

use std::fmt;

/// End of a process, or the pipe that it closed while running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// Exited with this status.
    Exited(i32),
    /// Killed by this signal.
    Killed(i32),
    /// Running, but its output is closed.
    ClosedOutput,
    /// Running, but its input is closed.
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
