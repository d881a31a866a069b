//! What one child writes to its standard error: its end is kept for the report of a fault.

use std::io::{self, ErrorKind, Read};
use std::process::ChildStderr;

use super::tail::Tail;
use crate::platform;

/// Bytes that are read at once.
const CHUNK: usize = 1 << 14;
/// How often a child that never stops writing is read in one go.
const MAX_CHUNKS: usize = 64;
/// How many bytes are kept.
const KEPT: usize = 1 << 16;

/// The standard error of one child.
#[derive(Debug)]
pub(super) struct ErrorOutput {
    /// `None` once it is closed.
    pipe: Option<ChildStderr>,
    tail: Tail,
}

impl ErrorOutput {
    /// `pipe` is `None` for a child whose standard error goes to a file.
    pub(super) fn new(pipe: Option<ChildStderr>) -> ErrorOutput {
        let tail = Tail::new(KEPT);
        ErrorOutput { pipe, tail }
    }

    /// From here on, reading never blocks.
    pub(super) fn set_nonblocking(&self) -> io::Result<()> {
        self.pipe.as_ref().map_or(Ok(()), platform::set_nonblocking)
    }

    /// Whether nothing more will come.
    pub(super) fn is_closed(&self) -> bool {
        self.pipe.is_none()
    }

    /// Reads what is there, within a bound. Whether there was anything.
    pub(super) fn fetch(&mut self) -> bool {
        (0..MAX_CHUNKS).take_while(|_| self.read()).count() > 0
    }

    /// The end of what was read.
    pub(super) fn text(&self) -> String {
        self.tail.text()
    }

    fn read(&mut self) -> bool {
        let Some(pipe) = &mut self.pipe else {
            return false;
        };
        let mut chunk = [0; CHUNK];
        match pipe.read(&mut chunk) {
            Ok(n) if n > 0 => {
                self.tail.push(&chunk[..n]);
                true
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                false
            }
            Ok(_) | Err(_) => {
                self.pipe = None;
                false
            }
        }
    }
}
