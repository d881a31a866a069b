//! One child process.

mod launch;
mod source;

#[cfg(test)]
mod tests;

use std::io::{self, ErrorKind, Write};
use std::process::{Child, ChildStdin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use parking_lot::Mutex;

use super::Death;
use super::error_output::ErrorOutput;
use super::filter::{Batch, LineFilter, Received};
use super::intake::Intake;
use super::reader::{read_errors, read_into_channel, read_while_idle};
use super::trace::Trace;
use crate::platform;
pub use launch::Launch;
use source::Source;

/// How long a process that was told to quit may take before it is killed.
pub const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// How often a wait looks whether the pipe to the child takes more.
const WRITE_PAUSE: Duration = Duration::from_millis(1);
/// How long a killed process is waited for where it is dropped; one that takes longer is left to the system.
const REAP_TIMEOUT: Duration = Duration::from_millis(50);
/// The most bytes that wait to be written. Beyond it, the child counts as one that has closed its input.
const MAX_UNSENT: usize = 1 << 24;

/// A running child, killed with its whole process group when dropped. No call blocks, unless it says so.
#[derive(Debug)]
pub struct Process<M> {
    child: Child,
    stdin: Option<ChildStdin>,
    /// What the pipe to the child did not take yet.
    unsent: Vec<u8>,
    source: Source<M>,
    trace: Arc<Trace>,
    errors: Arc<Mutex<ErrorOutput>>,
}

/// How what a child writes is to be received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// By a thread that waits for this child alone.
    Direct,
    /// Through a channel, which can be selected on.
    Channel,
}

impl<M: Send + 'static> Process<M> {
    /// Starts a child; `filter` decides what is received of its lines.
    ///
    /// # Errors
    /// Those of the system: no such file, no permission, no more processes, descriptors or threads. No child is left
    /// behind then.
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
        read: impl FnOnce(Arc<Mutex<Intake<M>>>) -> io::Result<Source<M>>,
    ) -> io::Result<Process<M>> {
        let mut child = launch.spawn()?;
        let (stdin, stdout, stderr) = (
            child.stdin.take(),
            child.stdout.take().expect("stdout was piped"),
            child.stderr.take(),
        );
        let trace = Arc::new(Trace::new(&launch.name, launch.log.clone()));
        let errors = Arc::new(Mutex::new(ErrorOutput::new(stderr)));
        let mut process = Process {
            child,
            stdin,
            unsent: Vec::new(),
            source: Source::None,
            trace: Arc::clone(&trace),
            errors: Arc::clone(&errors),
        };
        // From here on, a failure drops the process, which kills the child.
        platform::set_nonblocking(process.stdin.as_ref().expect("stdin was piped"))?;
        errors.lock().set_nonblocking()?;
        read_errors(&errors)?;
        let intake = Intake::new(stdout, Box::new(filter), trace)?;
        process.source = read(Arc::new(Mutex::new(intake)))?;
        Ok(process)
    }
}

impl<M: Send + 'static> Process<M> {
    /// Sends whole lines, each ended by a line break. What the pipe does not take is kept and sent by
    /// [`flush`](Process::flush).
    pub fn send(&mut self, lines: &[u8]) {
        let now = Instant::now();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', lines) {
            self.trace.note(now, b'>', &lines[start..end], false);
            start = end + 1;
        }
        if !self.unsent.is_empty() {
            self.keep(lines);
            return self.flush();
        }
        let n_sent = self.write(lines);
        self.keep(&lines[n_sent..]);
    }

    fn keep(&mut self, lines: &[u8]) {
        if self.stdin.is_some() {
            self.unsent.extend_from_slice(lines);
        }
        if self.unsent.len() > MAX_UNSENT {
            self.close_input();
        }
    }

    /// Sends what could not be sent before, as far as the pipe takes it now.
    pub fn flush(&mut self) {
        let unsent = std::mem::take(&mut self.unsent);
        let n_sent = self.write(&unsent);
        if self.stdin.is_some() {
            self.unsent = unsent;
            self.unsent.drain(..n_sent);
        }
    }

    /// Writes as much as the pipe takes; how many bytes that is. An error closes the input.
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

    /// Whether something was not taken by the pipe yet.
    pub fn has_unsent(&self) -> bool {
        !self.unsent.is_empty()
    }

    /// Blocks until the pipe takes more of what was not sent yet, or the time is there.
    pub fn wait_for_room(&mut self, until: Instant) {
        if let Some(stdin) = &self.stdin {
            platform::wait_writable(stdin, until);
        }
        self.flush();
    }

    /// Reads what the child has written, without waiting.
    pub fn fetch(&mut self) {
        self.source.fetch();
    }

    /// The next message that was read; `None` if there is none now.
    pub fn receive(&mut self) -> Option<Received<M>> {
        self.source.receive()
    }

    /// Blocks until something was read, the child has closed its output, or the time is there. Sends meanwhile what was
    /// not sent yet.
    pub fn wait(&mut self, until: Instant) {
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

    /// Where batches of messages arrive, to be selected on; `None` without a channel, and once the output is closed.
    /// Batches are to be taken out of it by [`receive`](Process::receive).
    pub fn receiver(&self) -> Option<&Receiver<Batch<M>>> {
        self.source.receiver()
    }

    /// Whether all was received and nothing more will come, since the output is closed.
    pub fn is_output_closed(&self) -> bool {
        self.source.is_closed()
    }

    /// Whether nothing can be sent any more.
    pub fn is_input_closed(&self) -> bool {
        self.stdin.is_none()
    }

    /// Changes the name in the log.
    pub fn rename(&self, name: &str) {
        self.trace.rename(name);
    }

    /// The last lines exchanged, `> ` before those to the child and `< ` before those from it.
    pub fn transcript(&self) -> Vec<String> {
        self.trace.transcript()
    }

    /// The end of what the child wrote to standard error.
    pub fn stderr(&self) -> String {
        let mut errors = self.errors.lock();
        errors.fetch();
        errors.text()
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How the child ended, if it has.
    pub fn exited(&self) -> Option<Death> {
        platform::exited(&self.child)
    }

    /// Blocks until the child ends or the time is there; `None` while it runs.
    pub fn await_exit(&self, deadline: Instant) -> Option<Death> {
        platform::await_exit(&self.child, deadline)
    }

    /// Closes the child's input; what was not sent yet is lost.
    pub fn close_input(&mut self) {
        self.stdin = None;
        self.unsent.clear();
    }

    /// Blocks until the child ends or the time is there, then kills what is left of its group. Whether it ended by
    /// itself.
    pub fn end(self, deadline: Instant) -> bool {
        self.await_exit(deadline).is_some()
    }
}

impl<M> Drop for Process<M> {
    fn drop(&mut self) {
        platform::kill_group(&self.child);
        platform::await_exit(&self.child, Instant::now() + REAP_TIMEOUT);
        let _ = self.child.try_wait();
    }
}
