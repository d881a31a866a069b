//! One child process.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::vec;

use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError};
use parking_lot::Mutex;

use super::Death;
use super::error_output::ErrorOutput;
use super::filter::{Batch, LineFilter, Received};
use super::intake::Intake;
use super::log::Log;
use super::reader::{read_errors, read_into_channel, read_while_idle};
use super::trace::Trace;
use crate::platform;

/// How long a process that was told to quit may take before it is killed.
pub const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// How often a wait looks whether the pipe to the child takes more.
const WRITE_PAUSE: Duration = Duration::from_millis(1);
/// How long a killed process is waited for where it is dropped; one that takes longer is left to the system.
const REAP_TIMEOUT: Duration = Duration::from_millis(50);
/// The most bytes that wait to be written. Beyond it, the child counts as one that has closed its input.
const MAX_UNSENT: usize = 1 << 24;

/// What to start.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The name in logs.
    pub name: String,
    /// The executable.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its working folder; the caller's if absent.
    pub dir: Option<PathBuf>,
    /// Where its standard error goes; if absent, its end is kept in memory.
    pub stderr: Option<PathBuf>,
    /// The log of all lines.
    pub log: Option<Arc<Log>>,
}

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

/// Where messages come from.
enum Source<M> {
    /// Nowhere yet: the process was not started in full.
    None,
    /// The thread that waits reads.
    Direct(Arc<Mutex<Intake<M>>>),
    /// A thread of their own reads. Shape: the channel, what was taken out of it, whether it is closed.
    Channel {
        batches: Receiver<Batch<M>>,
        batch: vec::IntoIter<Received<M>>,
        is_closed: bool,
        /// Kept while anyone wants what is read.
        _intake: Arc<Mutex<Intake<M>>>,
    },
}

impl<M> fmt::Debug for Source<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::None => "None",
            Source::Direct(_) => "Direct",
            Source::Channel { .. } => "Channel",
        })
    }
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
        let mut child = command(launch)?.spawn()?;
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
        if let Source::Direct(intake) = &self.source {
            intake.lock().fetch();
        }
    }

    /// The next message that was read; `None` if there is none now.
    pub fn receive(&mut self) -> Option<Received<M>> {
        match &mut self.source {
            Source::None => None,
            Source::Direct(intake) => intake.lock().received().pop_front(),
            Source::Channel {
                batches,
                batch,
                is_closed,
                ..
            } => {
                if batch.len() == 0 {
                    match batches.try_recv() {
                        Ok(next) => *batch = next.into_iter(),
                        Err(TryRecvError::Empty) => {}
                        Err(TryRecvError::Disconnected) => *is_closed = true,
                    }
                }
                batch.next()
            }
        }
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
        match &self.source {
            Source::Channel {
                batches,
                is_closed: false,
                ..
            } => Some(batches),
            _ => None,
        }
    }

    /// Whether all was received and nothing more will come, since the output is closed.
    pub fn is_output_closed(&self) -> bool {
        match &self.source {
            Source::None => true,
            Source::Direct(intake) => {
                let mut intake = intake.lock();
                intake.is_closed() && intake.received().is_empty()
            }
            Source::Channel {
                batch, is_closed, ..
            } => *is_closed && batch.len() == 0,
        }
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

impl<M: Send + 'static> Source<M> {
    /// Blocks until something was read or the output is closed, or the time is there; false at that time.
    fn wait(&mut self, until: Instant) -> bool {
        match self {
            Source::None => true,
            Source::Direct(intake) => {
                let mut intake = intake.lock();
                while intake.received().is_empty() && !intake.is_closed() {
                    intake.wait(until);
                    if Instant::now() >= until {
                        break;
                    }
                }
                !intake.received().is_empty() || intake.is_closed()
            }
            Source::Channel {
                batches,
                batch,
                is_closed,
                ..
            } => {
                if batch.len() > 0 {
                    return true;
                }
                match batches.recv_deadline(until) {
                    Ok(next) => *batch = next.into_iter(),
                    Err(RecvTimeoutError::Disconnected) => *is_closed = true,
                    Err(RecvTimeoutError::Timeout) => return false,
                }
                true
            }
        }
    }
}

impl<M> Drop for Process<M> {
    fn drop(&mut self) {
        platform::kill_group(&self.child);
        platform::await_exit(&self.child, Instant::now() + REAP_TIMEOUT);
        let _ = self.child.try_wait();
    }
}

fn command(launch: &Launch) -> io::Result<Command> {
    let mut command = Command::new(&launch.program);
    platform::own_group(&mut command);
    command
        .args(&launch.args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(dir) = &launch.dir {
        if !dir.is_dir() {
            let why = format!("dir={}: no such folder", dir.display());
            return Err(io::Error::new(ErrorKind::NotFound, why));
        }
        command.current_dir(dir);
    }
    if let Some(path) = &launch.stderr {
        let file = File::options().create(true).append(true).open(path);
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("stderr={}: {error}", path.display()))
        };
        command.stderr(file.map_err(named)?);
    }
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::super::Filtered;
    use super::*;
    use protocol::line::RawLine;
    use rustix::io::Errno;
    use rustix::process::{Pid, Signal, WaitOptions, waitpid};

    /// Passes on every line as it is.
    struct Everything;

    impl LineFilter for Everything {
        type Message = Vec<u8>;

        fn filter(&mut self, line: RawLine<'_>) -> Filtered<Vec<u8>> {
            let message = match line {
                RawLine::Bytes(bytes) => Some(bytes.to_owned()),
                RawLine::TooLong(_) => None,
            };
            Filtered {
                message,
                is_noise: false,
            }
        }
    }

    fn launch(program: &str, args: &[&str]) -> Launch {
        Launch {
            name: program.to_owned(),
            program: program.into(),
            args: args.iter().map(Into::into).collect(),
            dir: None,
            stderr: None,
            log: None,
        }
    }

    fn start(program: &str, args: &[&str]) -> Process<Vec<u8>> {
        let process = Process::start(&launch(program, args), Everything, Reading::Direct);
        process.expect("a program that is everywhere")
    }

    fn in_ms(ms: u64) -> Instant {
        Instant::now() + Duration::from_millis(ms)
    }

    #[test]
    fn a_full_pipe_does_not_block_and_nothing_is_lost() {
        let mut sleep = start("sleep", &["600"]);
        sleep.send(&vec![b'\n'; 1 << 20]);
        assert!(sleep.has_unsent());
        let mut cat = start("cat", &[]);
        let line = [vec![b'x'; 1 << 19], vec![b'\n']].concat();
        cat.send(&line);
        cat.send(b"end\n");
        let mut n_bytes = 0;
        loop {
            cat.wait(in_ms(60_000));
            let received = cat.receive().expect("cat repeats what it was told");
            if received.message == b"end" {
                break;
            }
            n_bytes += received.message.len();
        }
        assert_eq!(n_bytes, 1 << 19);
    }

    #[test]
    fn what_is_never_read_is_bounded() {
        let mut sleep = start("sleep", &["600"]);
        for _ in 0..40 {
            sleep.send(&vec![b'\n'; 1 << 19]);
        }
        assert!(sleep.is_input_closed() && !sleep.has_unsent());
    }

    #[test]
    fn a_child_that_quits_is_waited_for_and_one_that_does_not_is_killed() {
        let mut cat = start("cat", &[]);
        cat.close_input();
        assert!(cat.end(in_ms(60_000)), "cat ends with its input");
        let mut sleep = start("sleep", &["600"]);
        sleep.close_input();
        assert!(!sleep.end(in_ms(20)));
    }

    /// As where no thread can be started that reads.
    #[test]
    fn a_start_that_fails_half_way_leaves_no_child() {
        let launch = launch("sh", &["-c", "echo $$; exec sleep 60"]);
        let mut pid = None;
        let started = Process::start_reading(&launch, Everything, |intake| {
            let mut intake = intake.lock();
            while intake.received().is_empty() {
                intake.wait(in_ms(60_000));
            }
            let line = intake.received().pop_front().expect("a line").message;
            pid = String::from_utf8_lossy(&line).parse().ok();
            Err(io::Error::from(ErrorKind::WouldBlock))
        });
        let error = started.expect_err("nobody reads");
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
        let pid = pid.and_then(Pid::from_raw);
        // One that was killed just now may not have been waited for.
        match waitpid(Some(pid.expect("a process")), WaitOptions::empty()) {
            Err(error) => assert_eq!(error, Errno::CHILD),
            Ok(ended) => {
                let status = ended.map(|(_, status)| status);
                let signal = status.and_then(|status| status.terminating_signal());
                assert_eq!(signal, Some(Signal::KILL.as_raw()));
            }
        }
    }

    #[test]
    fn standard_error_is_read_while_the_answer_is_awaited() {
        let command = "head -c 1000000 /dev/zero >&2; echo end >&2; echo done";
        let mut process = start("sh", &["-c", command]);
        process.wait(in_ms(60_000));
        let answer = process.receive().expect("nothing blocks the child");
        assert_eq!(answer.message, b"done");
        assert!(process.stderr().ends_with("end\n"));
    }

    #[test]
    fn a_death_has_its_cause() {
        let mut process = start("sh", &["-c", "echo last words; exit 9"]);
        process.wait(in_ms(60_000));
        let last = process.receive().expect("a line");
        assert_eq!(last.message, b"last words");
        assert_eq!(process.await_exit(in_ms(60_000)), Some(Death::Exited(9)));
        process.wait(in_ms(60_000));
        assert!(process.receive().is_none() && process.is_output_closed());
    }
}
