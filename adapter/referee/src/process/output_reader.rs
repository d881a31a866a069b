//! Standard output of a child process: read without blocking, split into lines, time-stamped and filtered.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::process::ChildStdout;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use protocol::LineReader;
use protocol::line::RawLine;

use super::log::Trace;
use super::transport::{LineFilter, Received};
use crate::platform;

/// Maximum number of unreceived messages, and of bytes of their lines; beyond it, the child blocks on its pipe. A single
/// read may exceed it.
const MAX_WAITING: usize = 1 << 12;
const MAX_WAITING_BYTES: usize = 1 << 24;
/// Time for which a waiting thread polls before it sleeps: an answer that comes at once is read without the time that a
/// sleeping core takes to wake up, which can be longer than the answer took.
const AWAKE: Duration = Duration::from_micros(50);
/// Log text for a line that exceeds the length limit.
const TOO_LONG: &[u8] = b"(a line too long to be read)";

/// The output of one child.
pub(super) struct OutputReader<M> {
    /// `None` once it is closed.
    lines: Option<LineReader<Pipe>>,
    filter: Box<dyn LineFilter<Message = M>>,
    trace: Arc<Trace>,
    received: VecDeque<Received<M>>,
    /// Length of the lines whose messages were read since none was waiting.
    waiting_bytes: usize,
}

impl<M: Send + 'static> OutputReader<M> {
    pub(super) fn new(
        stdout: ChildStdout,
        filter: Box<dyn LineFilter<Message = M>>,
        trace: Arc<Trace>,
    ) -> io::Result<OutputReader<M>> {
        platform::set_nonblocking(&stdout)?;
        Ok(OutputReader {
            lines: Some(LineReader::new(Pipe {
                stdout,
                may_read: false,
            })),
            filter,
            trace,
            received: VecDeque::new(),
            waiting_bytes: 0,
        })
    }

    /// The messages that were read but not received yet.
    pub(super) fn received(&mut self) -> &mut VecDeque<Received<M>> {
        &mut self.received
    }

    /// `true` once the pipe is closed.
    pub(super) fn is_closed(&self) -> bool {
        self.lines.is_none()
    }

    /// Blocks until the pipe is readable or the time is reached, then reads it.
    pub(super) fn wait(&mut self, until: Instant) {
        let awake_until = until.min(Instant::now() + AWAKE);
        loop {
            if self.fetch() {
                return;
            }
            if Instant::now() >= awake_until {
                break;
            }
            // Another thread or process that needs this core gets it.
            thread::yield_now();
        }
        let is_ready = |lines: &LineReader<Pipe>| {
            let stdout = &lines.get_ref().stdout;
            platform::wait_readable(stdout, until)
        };
        if self.lines.as_ref().is_some_and(is_ready) {
            self.fetch();
        }
    }

    /// Reads once without blocking and filters the complete lines. Returns `true` if there were any, or if the output
    /// was closed.
    pub(super) fn fetch(&mut self) -> bool {
        if self.received.is_empty() {
            self.waiting_bytes = 0;
        }
        let has_room =
            self.received.len() <= MAX_WAITING && self.waiting_bytes <= MAX_WAITING_BYTES;
        let Some(lines) = self.lines.as_mut().filter(|_| has_room) else {
            return false;
        };
        lines.get_mut().may_read = true;
        let mut arrived = None;
        loop {
            let line = match lines.read() {
                Ok(Some(line)) => line,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.trace.note_partial(lines.partial());
                    return arrived.is_some();
                }
                Ok(None) | Err(_) => break,
            };
            let at = *arrived.get_or_insert_with(Instant::now);
            let filtered = self.filter.filter(line);
            let bytes = match line {
                RawLine::Bytes(bytes) => bytes,
                RawLine::TooLong(_) => TOO_LONG,
            };
            self.trace.note(at, b'<', bytes, filtered.is_noise);
            if let Some(message) = filtered.message {
                self.waiting_bytes += line.n_bytes();
                self.received.push_back(Received { at, message });
            }
        }
        self.lines = None;
        true
    }
}

/// A child's output that returns `WouldBlock` after one read, until the next read is allowed.
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
