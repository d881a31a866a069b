//! Filters for the lines of a child process.

use std::time::Instant;

use protocol::Line;
use protocol::line::RawLine;

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
