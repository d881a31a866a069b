//! The end of a process.

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
