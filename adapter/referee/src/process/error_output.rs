//! Standard error of a child process. Its end is kept for fault reports.

use std::io::{self, ErrorKind, Read};
use std::process::ChildStderr;

use super::tail::Tail;
use crate::platform;

/// Bytes per read.
const CHUNK: usize = 1 << 14;
/// Maximum number of reads in one call, for a child that writes without pause.
const MAX_CHUNKS: usize = 64;
/// Number of bytes kept.
const KEPT: usize = 1 << 16;

/// The standard error of one child.
#[derive(Debug)]
pub(super) struct ErrorOutput {
    /// `None` once it is closed.
    pipe: Option<ChildStderr>,
    tail: Tail,
}

impl ErrorOutput {
    /// Creates the reader; `pipe` is `None` if standard error is redirected to a file.
    pub(super) fn new(pipe: Option<ChildStderr>) -> ErrorOutput {
        let tail = Tail::new(KEPT);
        ErrorOutput { pipe, tail }
    }

    /// Makes later reads non-blocking.
    pub(super) fn set_nonblocking(&self) -> io::Result<()> {
        self.pipe.as_ref().map_or(Ok(()), platform::set_nonblocking)
    }

    /// `true` once the pipe is closed.
    pub(super) fn is_closed(&self) -> bool {
        self.pipe.is_none()
    }

    /// Reads available output, within a bound. Returns `true` if there was any.
    pub(super) fn fetch(&mut self) -> bool {
        (0..MAX_CHUNKS).take_while(|_| self.read()).count() > 0
    }

    /// The end of the output read so far.
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
