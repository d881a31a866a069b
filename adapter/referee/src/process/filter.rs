//! What becomes of a child's lines.

use std::time::Instant;

use protocol::line::RawLine;

/// What a filter made of a line, and when the line arrived.
#[derive(Debug)]
pub struct Received<M> {
    /// When the bytes were read.
    pub at: Instant,
    /// What the filter made of the line.
    pub message: M,
}

/// Messages that were read together; never empty.
pub type Batch<M> = Vec<Received<M>>;

/// What becomes of a line.
#[derive(Debug)]
pub struct Filtered<M> {
    /// What is passed on, if anything is.
    pub message: Option<M>,
    /// Whether the line is left out of [`Process::transcript`](super::Process::transcript).
    pub is_noise: bool,
}

/// Decides what becomes of each line of a child, on the thread that reads them.
pub trait LineFilter: Send + 'static {
    /// What is passed on of a line.
    type Message: Send + 'static;

    /// Judges the next line.
    fn filter(&mut self, line: RawLine<'_>) -> Filtered<Self::Message>;
}
