//! Child processes: each is started in its own process group, and is written to and read without blocking.
//!
//! [`Process::start`] is the entry point. The thread that waits for a process reads it, also its standard error; a process
//! for which no thread waits blocks on its pipe once that is full. Lines are bytes here, and all buffers are bounded.

mod launch;
mod log;

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use protocol::LineReader;
use protocol::line::RawLine;
use protocol::text::masked;

use crate::platform::{self, AsFd, BorrowedFd, poll_pipes, readable, writable};

pub use crate::platform::{Alarm, Death, Waker, waker};
pub use launch::Launch;
pub use log::Log;

/// Time that a process has to exit after `quit` before it is killed.
pub const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Time for which dropping a [`Process`] waits for the killed child. A slower one is left to the system.
const REAP_TIMEOUT: Duration = Duration::from_millis(50);
/// Maximum number of unsent bytes. If it is exceeded, the child's input is closed.
const MAX_UNSENT: usize = 1 << 24;
/// Time for which a waiting thread polls before it sleeps: an answer that comes at once is read without the time that a
/// sleeping core takes to wake up, which can be longer than the answer took.
const AWAKE: Duration = Duration::from_micros(50);
/// Intervals for checking whether a process has ended: the first after its output was closed, doubled up to the longest.
const FIRST_PAUSE: Duration = Duration::from_micros(100);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);
/// Bytes per read of standard error.
const CHUNK: usize = 1 << 14;
/// Maximum number of reads in one call, for a child that writes without pause.
const MAX_CHUNKS: usize = 64;
/// Number of bytes kept of it.
const KEPT: usize = 1 << 16;
/// Log text for a line that exceeds the length limit.
const TOO_LONG: &[u8] = b"(a line too long to be read)";

/// A running child. Dropping it kills its process group and the descendants that have left it. Methods do not block unless
/// documented.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// The mark of its descendants.
    mark: String,
    stdin: Option<ChildStdin>,
    /// Bytes that the pipe has not accepted yet.
    unsent: Vec<u8>,
    /// `None` once it is closed.
    output: Option<LineReader<Pipe>>,
    /// Standard error; `None` once it is closed, or if it is redirected to a file.
    errors: Option<ChildStderr>,
    /// The end of what was written to it.
    error_tail: VecDeque<u8>,
    trace: Trace,
}

impl Process {
    /// Starts a child.
    ///
    /// # Errors
    /// Those of the system: no such file, no permission, no more processes or descriptors. A child that was already started
    /// is killed.
    pub fn start(launch: &Launch) -> io::Result<Process> {
        let (mut child, mark) = launch.spawn()?;
        let stdout = child.stdout.take().expect("stdout was piped");
        let may_read = false;
        let process = Process {
            mark,
            stdin: child.stdin.take(),
            unsent: Vec::new(),
            output: Some(LineReader::new(Pipe { stdout, may_read })),
            errors: child.stderr.take(),
            error_tail: VecDeque::new(),
            trace: Trace {
                kept: Vec::new(),
                name: launch.name.clone(),
                log: launch.log.clone(),
            },
            child,
        };
        // From here on, an error drops `process`, which kills the child.
        for pipe in process.pipes().into_iter().flatten() {
            platform::set_nonblocking(&pipe)?;
        }
        Ok(process)
    }

    /// Standard input, output and error, as far as they are open.
    fn pipes(&self) -> [Option<BorrowedFd<'_>>; 3] {
        let output = self.output.as_ref().map(|output| &output.get_ref().stdout);
        [
            self.stdin.as_ref().map(AsFd::as_fd),
            output.map(AsFd::as_fd),
            self.errors.as_ref().map(AsFd::as_fd),
        ]
    }

    /// Sends whole lines, each ended by a line break. What the child does not read yet is kept, up to a bound.
    pub fn send(&mut self, lines: &[u8]) {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', lines) {
            self.trace
                .note(Instant::now, b'>', &lines[start..end], false);
            start = end + 1;
        }
        let n_sent = match self.unsent.is_empty() {
            true => self.write(lines),
            false => 0,
        };
        if self.stdin.is_some() {
            self.unsent.extend_from_slice(&lines[n_sent..]);
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

    /// Reads once, and passes each line on with its time; `take` returns `true` for a line that is no part of the
    /// [`transcript`](Process::transcript). Returns `true` if there was a line, or if the output was closed.
    pub fn read(&mut self, mut take: impl FnMut(Instant, RawLine<'_>) -> bool) -> bool {
        let Some(output) = &mut self.output else {
            return false;
        };
        output.get_mut().may_read = true;
        let mut arrived = None;
        loop {
            let line = match output.read() {
                Ok(Some(line)) => line,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return arrived.is_some(),
                Ok(None) | Err(_) => break,
            };
            let at = *arrived.get_or_insert_with(Instant::now);
            let is_noise = take(at, line);
            let bytes = match line {
                RawLine::Bytes(bytes) => bytes,
                RawLine::TooLong(_) => TOO_LONG,
            };
            self.trace.note(|| at, b'<', bytes, is_noise);
        }
        self.output = None;
        true
    }

    /// `true` once the output is closed.
    pub fn is_output_closed(&self) -> bool {
        self.output.is_none()
    }

    /// `true` once nothing more can be sent.
    pub fn is_input_closed(&self) -> bool {
        self.stdin.is_none()
    }

    /// Closes the child's input and discards what was not sent.
    pub fn close_input(&mut self) {
        self.stdin = None;
        self.unsent.clear();
    }

    /// Changes the child's name in the log.
    pub fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.trace.name);
    }

    /// The last lines exchanged, prefixed with `> ` if sent to the child and `< ` if received from it.
    pub fn transcript(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.trace.lines().map(shown).collect();
        let partial = self.output.as_ref().map_or(&[][..], LineReader::partial);
        if !partial.is_empty() {
            let partial = &partial[..partial.len().min(LINE_BYTES)];
            lines.push(format!("< {} (no end of line)", shown(partial)));
        }
        lines
    }

    /// The end of the child's standard error.
    pub fn stderr(&mut self) -> String {
        self.fetch_errors();
        String::from_utf8_lossy(self.error_tail.make_contiguous()).into_owned()
    }

    /// The process ID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Blocks until the child ends or the deadline is reached; `None` if it is still running. Its output is dropped.
    pub fn await_exit(&mut self, deadline: Instant) -> Option<Death> {
        let mut closed_pause = FIRST_PAUSE;
        loop {
            let (death, now) = (self.exited(), Instant::now());
            if death.is_some() || now >= deadline {
                return death;
            }
            // A process that ends closes its output, which ends the wait. Its children may keep that open.
            let mut pause = LONGEST_PAUSE;
            if self.output.is_none() {
                pause = closed_pause;
                closed_pause = LONGEST_PAUSE.min(2 * closed_pause);
            }
            wait_any(&mut [&mut *self], None, Some(deadline.min(now + pause)));
            self.read(|_, line| line.is("info"));
        }
    }

    /// Reads what was written to standard error, within a bound.
    fn fetch_errors(&mut self) {
        let mut chunk = [0; CHUNK];
        for _ in 0..MAX_CHUNKS {
            let Some(pipe) = &mut self.errors else {
                return;
            };
            match pipe.read(&mut chunk) {
                Ok(n @ 1..) => self.error_tail.extend(&chunk[..n]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => self.errors = None,
            }
            let surplus = self.error_tail.len().saturating_sub(KEPT);
            self.error_tail.drain(..surplus);
        }
    }
}

/// The state of a process, apart from its lines.
pub trait Life {
    /// The pipe that it has closed, once everything was read.
    fn closed(&self) -> Option<Death>;

    /// Its exit status or signal, once it has ended. There may still be output to read.
    fn exited(&self) -> Option<Death>;

    /// Sends what was kept, as far as the process reads it. Returns `true` if nothing is left.
    fn flush(&mut self) -> bool;

    /// The last line received, with a note if it has no end yet.
    fn last_heard(&self) -> Option<String>;
}

impl Life for Process {
    fn closed(&self) -> Option<Death> {
        match &self.output {
            None => Some(Death::ClosedOutput),
            Some(_) => self.is_input_closed().then_some(Death::ClosedInput),
        }
    }

    fn exited(&self) -> Option<Death> {
        platform::exited(&self.child)
    }

    fn flush(&mut self) -> bool {
        if !self.unsent.is_empty() {
            let unsent = std::mem::take(&mut self.unsent);
            let n_sent = self.write(&unsent);
            if self.stdin.is_some() {
                self.unsent = unsent;
                self.unsent.drain(..n_sent);
            }
        }
        self.unsent.is_empty()
    }

    fn last_heard(&self) -> Option<String> {
        let lines = self.transcript();
        let heard = lines.iter().rev().find_map(|line| line.strip_prefix("< "));
        heard.map(str::to_owned)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        platform::kill_group(&self.child);
        let deadline = Instant::now() + REAP_TIMEOUT;
        self.await_exit(deadline);
        platform::watch_group('-', self.child.id());
        platform::reap_group(&self.child, deadline);
        platform::kill_children(Some(&self.mark));
        platform::watch_group('=', self.child.id());
    }
}

/// Calls `read` until it returns `true`, a moment has passed, or the time is reached. Returns `true` in the first case: the
/// caller need not sleep.
pub(crate) fn read_at_once(now: Instant, until: Instant, mut read: impl FnMut() -> bool) -> bool {
    let awake_until = until.min(now + AWAKE);
    loop {
        // The process that is to answer may need this core.
        thread::yield_now();
        if read() {
            return true;
        }
        if Instant::now() >= awake_until {
            return false;
        }
    }
}

/// Blocks until one of the processes can be read or has read all that was sent, `wake` rings, or the time is reached. Reads
/// standard errors meanwhile. Returns `true` if `wake` rings.
pub fn wait_any(
    processes: &mut [&mut Process],
    wake: Option<&Alarm>,
    until: Option<Instant>,
) -> bool {
    loop {
        let pipes = processes.iter().flat_map(|process| {
            let [input, output, errors] = process.pipes();
            let input = input.filter(|_| !process.unsent.is_empty());
            [
                output.map(readable),
                errors.map(readable),
                input.map(writable),
            ]
        });
        let wake_pipe = wake.map(|wake| readable(wake.as_fd()));
        let pipes: Vec<_> = pipes.chain([wake_pipe]).collect();
        let mut ready = poll_pipes(&pipes, until).into_iter();
        let mut is_ready = || ready.next() == Some(true);
        let mut is_done = false;
        for process in processes.iter_mut() {
            is_done |= is_ready();
            if is_ready() {
                process.fetch_errors();
            }
            is_done |= is_ready() && process.flush();
        }
        let is_woken = is_ready();
        if is_done || is_woken || until.is_some_and(|until| Instant::now() >= until) {
            return is_woken;
        }
    }
}

/// A child's output that returns `WouldBlock` after one read, until the next read is allowed.
#[derive(Debug)]
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

/// Number of lines that a [`Trace`] shows, and of bytes kept of each line.
const N_LINES: usize = 16;
const LINE_BYTES: usize = 200;
/// Length at which all other lines are forgotten, in bytes: rarely, since that takes longer than to keep a line.
const MAX_KEPT: usize = 1 << 13;

/// Begins the text of an `info string` that shows a line of the program behind a bridge, after `<` or `>`.
pub const WIRE: &str = "wire";

/// The last lines exchanged with one child, prefixed with `> ` if sent to it and `< ` if received from it. All lines go to
/// its log, too.
#[derive(Debug, Default)]
struct Trace {
    /// Each ended by a line break.
    kept: Vec<u8>,
    /// The child's name in the log.
    name: String,
    log: Option<Arc<Log>>,
}

impl Trace {
    /// Records a line to the child (`>`) or from it (`<`). Only the log needs the time. A `noise` line goes only to the log. There, the lines of a
    /// program behind a bridge stand under the name `NAME (wire)`.
    fn note(&mut self, at: impl FnOnce() -> Instant, arrow: u8, line: &[u8], noise: bool) {
        if !noise {
            self.keep(arrow, line);
        }
        let Some(log) = &self.log else {
            return;
        };
        let wire = line.strip_prefix(b"info string ").filter(|_| noise);
        match wire.and_then(|text| text.strip_prefix(WIRE.as_bytes())) {
            Some([b' ', arrow @ (b'<' | b'>'), b' ', line @ ..]) => {
                log.line(at(), &format!("{} (wire)", self.name), *arrow, line, false);
            }
            _ => log.line(at(), &self.name, arrow, line, noise),
        }
    }

    /// Keeps a line: of a long one, the beginning and the end.
    fn keep(&mut self, arrow: u8, line: &[u8]) {
        if self.kept.len() > MAX_KEPT {
            self.kept.drain(..self.start());
        }
        let kept = &mut self.kept;
        kept.extend([arrow, b' ']);
        if line.len() <= LINE_BYTES {
            kept.extend_from_slice(line);
        } else {
            kept.extend_from_slice(&line[..LINE_BYTES / 2]);
            kept.extend_from_slice(b" ... ");
            kept.extend_from_slice(&line[line.len() - LINE_BYTES / 2..]);
        }
        kept.push(b'\n');
    }

    /// Offset of the last lines.
    fn start(&self) -> usize {
        let before = memchr::memrchr_iter(b'\n', &self.kept).nth(N_LINES);
        before.map_or(0, |end| end + 1)
    }

    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let lines = self.kept[self.start()..].split(|&byte| byte == b'\n');
        lines.filter(|line| !line.is_empty())
    }
}

/// A kept line with control characters replaced.
fn shown(line: &[u8]) -> String {
    masked(&String::from_utf8_lossy(line), usize::MAX)
}

/// While this value exists, a process whose parent ends becomes a child of this process, even if it has left its parent's
/// group and session. Dropping the value kills all children of this process, even those that hide that they descend from an
/// engine, so it must not be used where other children exist. Works on Linux only; elsewhere it does nothing.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_is_bounded_both_ways() {
        let mut trace = Trace::default();
        for _ in 0..100 {
            trace.note(Instant::now, b'<', &[b'x'; 10_000], false);
        }
        trace.note(Instant::now, b'>', b"go\0", false);
        trace.note(Instant::now, b'<', b"info depth 1", true);
        let lines: Vec<&[u8]> = trace.lines().collect();
        assert_eq!(lines.len(), N_LINES);
        assert!(lines.iter().all(|line| line.len() < LINE_BYTES + 10));
        assert_eq!(shown(lines[N_LINES - 1]), "> go?");
        assert!(trace.kept.len() < 2 * MAX_KEPT);
    }
}
