//! The lines of a child process: the interface, filters for the lines that it sends, and its end.

use std::fmt;
use std::time::Instant;

use crossbeam_channel::Receiver;
use protocol::Line;
use protocol::line::RawLine;

use crate::platform;

/// Sends lines to an engine and receives its output. Only [`wait`](Transport::wait) and [`end`](Transport::end) block.
pub trait Transport<M>: Send + fmt::Debug {
    /// Sends whole lines, each ended by a line break. Lines that the engine does not read yet are buffered.
    fn send(&mut self, lines: &[u8]);

    /// Sends buffered lines as far as the engine reads them. Returns `true` if the buffer is empty.
    fn flush(&mut self) -> bool;

    /// Reads available output without blocking, unless a separate thread reads it.
    fn fetch(&mut self);

    /// Returns the next message, or `None` if none was read.
    fn receive(&mut self) -> Option<Received<M>>;

    /// Blocks until output was read or closed, or the time is reached. Sends buffered lines in the meantime.
    fn wait(&mut self, until: Instant);

    /// The channel of messages, for selecting on it; `None` once it is closed, or if there is none. Callers must not take
    /// batches from it, but call [`receive`](Transport::receive).
    fn receiver(&self) -> Option<&Receiver<Batch<M>>>;

    /// The closed pipe, if any, once all messages were received.
    fn closed(&self) -> Option<Death>;

    /// Exit status or signal of the process, once it has ended. There may still be messages to receive.
    fn exited(&self) -> Option<Death>;

    /// Changes the engine's name in the log.
    fn rename(&self, name: &str);

    /// The last lines exchanged, and the end of the engine's standard error.
    fn last_output(&self) -> (Vec<String>, String);

    /// Closes the engine's input and discards buffered lines.
    fn close_input(&mut self);

    /// Blocks until the engine ends or the deadline is reached. Returns `true` if it ended by itself.
    fn end(&mut self, deadline: Instant) -> bool;
}

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

/// A filtered line with its time of arrival.
#[derive(Debug)]
pub struct Received<M> {
    /// Time at which the bytes were read.
    pub at: Instant,
    /// The message made from the line.
    pub message: M,
}

/// Messages from one read; never empty.
pub type Batch<M> = Vec<Received<M>>;

/// Result of filtering a line.
#[derive(Debug)]
pub struct Filtered<M> {
    /// The message to pass on, if any.
    pub message: Option<M>,
    /// The line is omitted from [`Process::transcript`](super::Process::transcript).
    pub is_noise: bool,
}

/// Converts or drops each line of a child, on the thread that reads it.
pub trait LineFilter: Send + 'static {
    /// The message made from a line.
    type Message: Send + 'static;

    /// Filters the next line.
    fn filter(&mut self, line: RawLine<'_>) -> Filtered<Self::Message>;
}

/// Filter that keeps every line.
#[derive(Debug, Clone, Copy)]
pub struct AllLines;

impl LineFilter for AllLines {
    type Message = Line;

    fn filter(&mut self, line: RawLine<'_>) -> Filtered<Line> {
        Filtered {
            message: Some(line.to_line()),
            is_noise: line.is("info"),
        }
    }
}

/// While this value exists, a process whose parent ends becomes a child of this process, even if it has left its
/// parent's group and session. Dropping the value kills all children of this process, even those that hide that they
/// descend from an engine, so it must not be used where other children exist. Works on Linux only; elsewhere it does nothing.
#[derive(Debug)]
pub struct Orphans(());

impl Orphans {
    /// Starts adopting orphaned processes.
    pub fn adopt() -> Orphans {
        platform::adopt_orphans();
        Orphans(())
    }
}

impl Drop for Orphans {
    fn drop(&mut self) {
        platform::kill_children(None);
    }
}
