//! What one child writes: read without blocking, cut into lines, stamped and filtered.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::process::{ChildStderr, ChildStdout};
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use protocol::LineReader;
use protocol::line::RawLine;

use super::filter::{LineFilter, Received};
use super::tail::Tail;
use super::trace::Trace;
use crate::platform;

/// Bytes of standard error that are read at once.
const CHUNK: usize = 1 << 14;
const MAX_CHUNKS: usize = 64;
/// Messages that wait at most; beyond that, the child blocks on its own pipe. One read may go beyond.
const MAX_WAITING: usize = 1 << 12;
/// What stands in the log for a line over the limit.
const TOO_LONG: &[u8] = b"(a line too long to be read)";

/// Both pipes from one child.
pub(super) struct Intake<M> {
    /// `None` once it is closed.
    lines: Option<LineReader<Pipe>>,
    filter: Box<dyn LineFilter<Message = M>>,
    trace: Arc<Trace>,
    received: VecDeque<Received<M>>,
    stderr: Option<ChildStderr>,
    tail: Arc<Mutex<Tail>>,
}

impl<M: Send + 'static> Intake<M> {
    pub(super) fn new(
        stdout: ChildStdout,
        stderr: Option<ChildStderr>,
        filter: Box<dyn LineFilter<Message = M>>,
        trace: Arc<Trace>,
        tail: Arc<Mutex<Tail>>,
    ) -> io::Result<Intake<M>> {
        platform::set_nonblocking(&stdout)?;
        if let Some(stderr) = &stderr {
            platform::set_nonblocking(stderr)?;
        }
        Ok(Intake {
            lines: Some(LineReader::new(Pipe {
                stdout,
                may_read: false,
            })),
            filter,
            trace,
            received: VecDeque::new(),
            stderr,
            tail,
        })
    }

    /// The messages that were read and not taken yet.
    pub(super) fn received(&mut self) -> &mut VecDeque<Received<M>> {
        &mut self.received
    }

    /// Whether nothing more will come.
    pub(super) fn is_closed(&self) -> bool {
        self.lines.is_none()
    }

    /// Whether standard error is closed too.
    pub(super) fn is_silent(&self) -> bool {
        self.lines.is_none() && self.stderr.is_none()
    }

    /// Reads what is there. Whether there was anything.
    pub(super) fn fetch(&mut self) -> bool {
        let has_lines = self.read_lines();
        self.read_stderr() || has_lines
    }

    /// Reads what is there of standard error, within a bound.
    pub(super) fn fetch_stderr(&mut self) {
        let _ = (0..MAX_CHUNKS).all(|_| self.read_stderr());
    }

    /// Blocks until a pipe can be read or the time is there, then reads it.
    pub(super) fn wait(&mut self, until: Instant) {
        let stdout = self.lines.as_ref().map(|lines| &lines.get_ref().stdout);
        let ready = platform::wait_readable(stdout, self.stderr.as_ref(), until);
        if ready[0] {
            self.read_lines();
        }
        if ready[1] {
            self.read_stderr();
        }
    }

    /// Reads once, and filters all lines that are whole then. Whether there were any.
    fn read_lines(&mut self) -> bool {
        let Some(lines) = self
            .lines
            .as_mut()
            .filter(|_| self.received.len() <= MAX_WAITING)
        else {
            return false;
        };
        lines.get_mut().may_read = true;
        let mut arrived = None;
        loop {
            let line = match lines.read() {
                Ok(Some(line)) => line,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return arrived.is_some(),
                Ok(None) | Err(_) => break,
            };
            let at = *arrived.get_or_insert_with(Instant::now);
            let filtered = self.filter.filter(line);
            let bytes = match line {
                RawLine::Bytes(bytes) => bytes,
                RawLine::TooLong(_) => TOO_LONG,
            };
            self.trace.note(at, b'<', bytes, filtered.is_noise);
            let received = filtered.message.map(|message| Received { at, message });
            self.received.extend(received);
        }
        self.lines = None;
        true
    }

    fn read_stderr(&mut self) -> bool {
        let Some(stderr) = &mut self.stderr else {
            return false;
        };
        let mut chunk = [0; CHUNK];
        match stderr.read(&mut chunk) {
            Ok(n) if n > 0 => {
                self.tail.lock().push(&chunk[..n]);
                true
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                false
            }
            Ok(_) | Err(_) => {
                self.stderr = None;
                false
            }
        }
    }
}

/// A child's output. It is read once each time it may be; further reads would block.
struct Pipe {
    stdout: ChildStdout,
    may_read: bool,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !std::mem::take(&mut self.may_read) {
            return Err(ErrorKind::WouldBlock.into());
        }
        self.stdout.read(buffer)
    }
}
