//! A child process with non-blocking input and output.

mod launch;
mod source;

#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::process::{Child, ChildStdin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use parking_lot::Mutex;
use source::Source;

use super::log::Trace;
use super::output_reader::OutputReader;
use super::reader::{read_errors, read_into_channel, read_while_idle};
use super::tail::{ErrorOutput, last_heard};
use super::transport::{Batch, Death, LineFilter, Received, Transport};
use crate::platform;

pub use launch::Launch;

/// Time that a process has to exit after `quit` before it is killed.
pub const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Interval for retrying a write to a full pipe while waiting.
const WRITE_PAUSE: Duration = Duration::from_millis(1);
/// Time for which dropping a [`Process`] waits for the killed child. A slower one is left to the system.
const REAP_TIMEOUT: Duration = Duration::from_millis(50);
/// Maximum number of unsent bytes. If it is exceeded, the child's input is closed.
const MAX_UNSENT: usize = 1 << 24;

/// A running child. Dropping it kills its process group and the descendants that have left it. Methods do not block unless documented.
#[derive(Debug)]
pub struct Process<M> {
    child: Child,
    /// The mark of its descendants.
    mark: String,
    stdin: Option<ChildStdin>,
    /// Bytes that the pipe has not accepted yet.
    unsent: Vec<u8>,
    source: Source<M>,
    trace: Arc<Trace>,
    errors: Arc<Mutex<ErrorOutput>>,
}

/// Method of receiving a child's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The calling thread reads while it waits for this child.
    Direct,
    /// A separate thread reads into a channel that can be selected on.
    Channel,
}

impl<M: Send + fmt::Debug + 'static> Process<M> {
    /// Starts a child; `filter` converts its lines to messages.
    ///
    /// # Errors
    /// Those of the system: no such file, no permission, no more processes, descriptors or threads. A child that was
    /// already started is killed.
    pub fn start(
        launch: &Launch,
        filter: impl LineFilter<Message = M>,
        reading: Reading,
    ) -> io::Result<Process<M>> {
        Process::start_reading(launch, filter, |intake| match reading {
            Reading::Direct => {
                read_while_idle(&intake)?;
                Ok(Source::Direct(intake))
            }
            Reading::Channel => Ok(Source::Channel {
                batches: read_into_channel(Arc::clone(&intake))?,
                batch: Vec::new().into_iter(),
                is_closed: false,
                _intake: intake,
            }),
        })
    }

    fn start_reading(
        launch: &Launch,
        filter: impl LineFilter<Message = M>,
        read: impl FnOnce(Arc<Mutex<OutputReader<M>>>) -> io::Result<Source<M>>,
    ) -> io::Result<Process<M>> {
        let (mut child, mark) = launch.spawn()?;
        let (stdin, stdout, stderr) = (
            child.stdin.take(),
            child.stdout.take().expect("stdout was piped"),
            child.stderr.take(),
        );
        let trace = Arc::new(Trace::new(&launch.name, launch.log.clone()));
        let errors = Arc::new(Mutex::new(ErrorOutput::new(stderr)));
        let mut process = Process {
            child,
            mark,
            stdin,
            unsent: Vec::new(),
            source: Source::None,
            trace: Arc::clone(&trace),
            errors: Arc::clone(&errors),
        };
        // After this point, an error drops `process`, which kills the child.
        platform::set_nonblocking(process.stdin.as_ref().expect("stdin was piped"))?;
        errors.lock().set_nonblocking()?;
        read_errors(&errors)?;
        let intake = OutputReader::new(stdout, Box::new(filter), trace)?;
        process.source = read(Arc::new(Mutex::new(intake)))?;
        Ok(process)
    }
}

impl<M: Send + fmt::Debug + 'static> Process<M> {
    fn keep(&mut self, lines: &[u8]) {
        if self.stdin.is_some() {
            self.unsent.extend_from_slice(lines);
        }
        if self.unsent.len() > MAX_UNSENT {
            self.close_input();
        }
    }

    /// Writes until the pipe is full. Returns the number of bytes written. An error closes the input.
    fn write(&mut self, bytes: &[u8]) -> usize {
        let mut n_sent = 0;
        while let Some(stdin) = self.stdin.as_mut().filter(|_| n_sent < bytes.len()) {
            match stdin.write(&bytes[n_sent..]) {
                Ok(n) => n_sent += n,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.close_input(),
            }
        }
        n_sent
    }

    /// `true` if there are buffered bytes to send.
    pub fn has_unsent(&self) -> bool {
        !self.unsent.is_empty()
    }

    /// Blocks until the pipe accepts more bytes or the time is reached, then flushes the buffer.
    pub fn wait_for_room(&mut self, until: Instant) {
        if let Some(stdin) = &self.stdin {
            platform::wait_writable(stdin, until);
        }
        self.flush();
    }

    /// `true` once the output is closed and all messages were received.
    pub fn is_output_closed(&self) -> bool {
        self.source.is_closed()
    }

    /// `true` once nothing more can be sent.
    pub fn is_input_closed(&self) -> bool {
        self.stdin.is_none()
    }

    /// The last lines exchanged, prefixed with `> ` if sent to the child and `< ` if received from it.
    pub fn transcript(&self) -> Vec<String> {
        self.trace.transcript()
    }

    /// The last line received, with a note if it has no end yet.
    pub fn last_heard(&self) -> Option<String> {
        last_heard(&self.transcript())
    }

    /// The end of the child's standard error.
    pub fn stderr(&self) -> String {
        let mut errors = self.errors.lock();
        errors.fetch();
        errors.text()
    }

    /// The process ID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Blocks until the child ends or the deadline is reached. Returns `None` if it is still running.
    pub fn await_exit(&self, deadline: Instant) -> Option<Death> {
        platform::await_exit(&self.child, deadline)
    }
}

impl<M: Send + fmt::Debug + 'static> Transport<M> for Process<M> {
    fn send(&mut self, lines: &[u8]) {
        let now = Instant::now();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', lines) {
            self.trace.note(now, b'>', &lines[start..end], false);
            start = end + 1;
        }
        if !self.unsent.is_empty() {
            self.keep(lines);
            self.flush();
            return;
        }
        let n_sent = self.write(lines);
        self.keep(&lines[n_sent..]);
    }

    fn flush(&mut self) -> bool {
        let unsent = std::mem::take(&mut self.unsent);
        let n_sent = self.write(&unsent);
        if self.stdin.is_some() {
            self.unsent = unsent;
            self.unsent.drain(..n_sent);
        }
        !self.has_unsent()
    }

    fn fetch(&mut self) {
        self.source.fetch();
    }

    fn receive(&mut self) -> Option<Received<M>> {
        self.source.receive()
    }

    fn wait(&mut self, until: Instant) {
        loop {
            self.flush();
            if self.is_output_closed() {
                platform::await_exit(&self.child, until);
                return;
            }
            let pause = match self.has_unsent() {
                true => until.min(Instant::now() + WRITE_PAUSE),
                false => until,
            };
            if self.source.wait(pause) || pause == until {
                return;
            }
        }
    }

    fn receiver(&self) -> Option<&Receiver<Batch<M>>> {
        self.source.receiver()
    }

    fn closed(&self) -> Option<Death> {
        if self.is_output_closed() {
            return Some(Death::ClosedOutput);
        }
        self.is_input_closed().then_some(Death::ClosedInput)
    }

    fn exited(&self) -> Option<Death> {
        platform::exited(&self.child)
    }

    fn rename(&self, name: &str) {
        self.trace.rename(name);
    }

    fn last_output(&self) -> (Vec<String>, String) {
        (self.transcript(), self.stderr())
    }

    fn close_input(&mut self) {
        self.stdin = None;
        self.unsent.clear();
    }

    fn end(&mut self, deadline: Instant) -> bool {
        self.await_exit(deadline).is_some()
    }
}

impl<M> Drop for Process<M> {
    fn drop(&mut self) {
        platform::kill_group(&self.child);
        let deadline = Instant::now() + REAP_TIMEOUT;
        platform::await_exit(&self.child, deadline);
        platform::watch_group('-', self.child.id());
        platform::reap_group(&self.child, deadline);
        platform::kill_children(Some(&self.mark));
        platform::watch_group('=', self.child.id());
    }
}
