//! One child process.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::log::Log;
use super::reader::{LineFilter, Memory, Received, ReceivedLine, Witness, listen, remember};
use super::tail::Tail;
use crate::stop::Stop;
use crate::sync::unpoisoned;

/// How long a quitting process may take before it is killed.
pub const QUIT_PATIENCE: Duration = Duration::from_secs(1);

/// Long waits are cut so that an interrupt and a death behind an open pipe are seen.
const SLICE: Duration = Duration::from_millis(50);
const STDERR_BYTES: usize = 1 << 16;

/// What to start, and who looks on.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The name in logs.
    pub who: String,
    /// The executable.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its working folder; the caller's where absent.
    pub dir: Option<PathBuf>,
    /// Where its standard error goes; its end is kept in memory where absent.
    pub stderr: Option<PathBuf>,
    /// The log of all lines.
    pub log: Option<Arc<Log>>,
    /// Ends every wait.
    pub stop: Stop,
}

/// Why a process did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It is no more, or closed its output.
    Died(Death),
    /// It said nothing by the deadline.
    Silent,
    /// It did not read its input by the deadline.
    Deaf,
    /// Nobody wants to know any more: the match was told to stop at once.
    Stopped,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal.
    Killed(i32),
    /// Its output is closed though it lives.
    Closed,
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Death::Exited(status) => write!(f, "exited with status {status}"),
            Death::Killed(signal) => write!(f, "was killed by signal {signal}"),
            Death::Closed => f.write_str("closed its output"),
        }
    }
}

/// A running child, killed with its whole process group when dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    pid: Pid,
    stdin: Option<ChildStdin>,
    batches: Receiver<Vec<Received>>,
    /// What was heard but not asked for yet.
    heard: VecDeque<Received>,
    witness: Witness,
    stderr: Arc<Mutex<Tail>>,
    stop: Stop,
}

impl Process {
    /// Starts a child. Fails as the system fails: no such file, no permission, no more processes.
    pub fn start(launch: &Launch) -> io::Result<Process> {
        Process::start_heard(launch, LineFilter::Sifting)
    }

    /// As [`start`](Process::start), with a choice of what is heard of the child.
    pub fn start_heard(launch: &Launch, ear: LineFilter) -> io::Result<Process> {
        let mut child = command(launch)?.spawn()?;
        let pid = Pid::from_child(&child);
        let stdin = child.stdin.take().expect("stdin was piped");
        let flags = fcntl_getfl(&stdin)?;
        fcntl_setfl(&stdin, flags | OFlags::NONBLOCK)?;
        let witness = Witness {
            memory: Arc::new(Memory::default()),
            log: launch.log.clone(),
        };
        unpoisoned(&witness.memory.who).clone_from(&launch.who);
        let stdout = child.stdout.take().expect("stdout was piped");
        let batches = listen(stdout, witness.clone(), ear)?;
        let stderr = Arc::new(Mutex::new(Tail::new(STDERR_BYTES)));
        if let Some(pipe) = child.stderr.take() {
            remember(pipe, Arc::clone(&stderr))?;
        }
        Ok(Process {
            child,
            pid,
            stdin: Some(stdin),
            batches,
            heard: VecDeque::new(),
            witness,
            stderr,
            stop: launch.stop.clone(),
        })
    }

    /// Writes whole lines, each closed by a line break.
    pub fn write(&mut self, lines: &[u8], deadline: Instant) -> Result<(), Fault> {
        let now = Instant::now();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', lines) {
            self.witness.note(now, b'>', &lines[start..end]);
            start = end + 1;
        }
        let mut rest = lines;
        while !rest.is_empty() {
            let Some(stdin) = &mut self.stdin else {
                return Err(Fault::Died(Death::Closed));
            };
            match stdin.write(rest) {
                Ok(n) => rest = &rest[n..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.await_room(deadline)?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Fault::Died(self.death())),
            }
        }
        Ok(())
    }

    fn await_room(&self, deadline: Instant) -> Result<(), Fault> {
        let Some(stdin) = &self.stdin else {
            return Ok(());
        };
        let mut fds = [PollFd::new(stdin, PollFlags::OUT)];
        loop {
            self.stopped()?;
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Fault::Deaf);
            }
            let slice = Timespec::try_from(left.min(SLICE)).expect("a slice is short");
            if poll(&mut fds, Some(&slice)).is_ok_and(|n_ready| n_ready > 0) {
                return Ok(());
            }
        }
    }

    /// The next thing the child says by the deadline, [`ReceivedLine::Closed`] excepted: that is a fault.
    pub fn hear(&mut self, deadline: Instant) -> Result<Received, Fault> {
        let mut is_dead = false;
        loop {
            // What came too late for this wait may be in time for the next.
            let is_late = |heard: &Received| heard.at > deadline;
            if self.heard.front().is_some_and(is_late) {
                return Err(Fault::Silent);
            }
            match self.heard.pop_front() {
                Some(Received {
                    said: ReceivedLine::Closed,
                    ..
                }) => return Err(Fault::Died(self.death())),
                Some(heard) => return Ok(heard),
                None => {}
            }
            match self
                .batches
                .recv_deadline(deadline.min(Instant::now() + SLICE))
            {
                Ok(batch) => self.heard.extend(batch),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Died(self.death())),
                Err(RecvTimeoutError::Timeout) => is_dead = self.check_wait(deadline, is_dead)?,
            }
        }
    }

    /// Whether the child was found dead in a wait that goes on; one that `was_dead` a slice ago has had time for its
    /// last words.
    fn check_wait(&self, deadline: Instant, was_dead: bool) -> Result<bool, Fault> {
        self.stopped()?;
        if Instant::now() >= deadline {
            return Err(Fault::Silent);
        }
        match self.exited() {
            Some(death) if was_dead => Err(Fault::Died(death)),
            exited => Ok(exited.is_some()),
        }
    }

    /// Something that the child has already said, without waiting.
    pub fn overhear(&mut self) -> Option<Received> {
        if self.heard.is_empty() {
            self.heard
                .extend(self.batches.try_recv().unwrap_or_default());
        }
        self.heard.pop_front()
    }

    /// Settles the name in the log.
    pub fn rename(&self, who: &str) {
        who.clone_into(&mut unpoisoned(&self.witness.memory.who));
    }

    /// The last lines exchanged, `> ` before those to the child and `< ` before those from it.
    pub fn transcript(&self) -> Vec<String> {
        self.witness.memory.transcript().text()
    }

    /// The end of what the child wrote to standard error.
    pub fn stderr(&self) -> String {
        unpoisoned(&self.stderr).text()
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the child has ended.
    pub fn is_dead(&self) -> bool {
        self.exited().is_some()
    }

    /// Tells the child to quit and closes its input; [`end`](Process::end) waits for it.
    pub fn ask_to_quit(&mut self) {
        // Whether a child that is about to go reads this makes no difference.
        let _ = self.write(b"quit\n", Instant::now());
        self.close_input();
    }

    /// Closes the child's input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits until the deadline for the child to end, then kills what is left of its group. Whether it ended by itself.
    pub fn end(self, deadline: Instant) -> bool {
        self.await_exit(deadline).is_some()
    }

    fn stopped(&self) -> Result<(), Fault> {
        if self.stop.is_now() {
            return Err(Fault::Stopped);
        }
        Ok(())
    }

    /// How a child ended whose pipe has just broken.
    fn death(&self) -> Death {
        self.await_exit(Instant::now() + SLICE)
            .unwrap_or(Death::Closed)
    }

    /// How the child ended, if it has; it is not reaped, so its group keeps its number until it is killed.
    fn exited(&self) -> Option<Death> {
        wait(self.pid, WaitIdOptions::NOHANG)
    }

    /// How the child ended by the deadline; `None` while it lives.
    pub fn await_exit(&self, deadline: Instant) -> Option<Death> {
        if let Some(death) = self.exited() {
            return Some(death);
        }
        let (sender, receiver) = bounded(1);
        let pid = self.pid;
        thread::spawn(move || sender.send(wait(pid, WaitIdOptions::empty())));
        receiver.recv_deadline(deadline).ok().flatten()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It fails where nobody is left, which is what was wanted.
        let _ = kill_process_group(self.pid, Signal::KILL);
        self.await_exit(Instant::now() + QUIT_PATIENCE);
        let _ = self.child.try_wait();
    }
}

fn wait(pid: Pid, options: WaitIdOptions) -> Option<Death> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | options;
    let status = waitid(WaitId::Pid(pid), options).ok()??;
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Some(Death::Exited(code)),
        (None, Some(signal)) => Some(Death::Killed(signal)),
        (None, None) => None,
    }
}

fn command(launch: &Launch) -> io::Result<Command> {
    let mut command = Command::new(&launch.program);
    command
        .args(&launch.args)
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(dir) = &launch.dir {
        command.current_dir(dir);
    }
    if let Some(path) = &launch.stderr {
        command.stderr(File::options().create(true).append(true).open(path)?);
    }
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(program: &str, args: &[&str]) -> Launch {
        Launch {
            who: program.to_owned(),
            program: program.into(),
            args: args.iter().map(Into::into).collect(),
            dir: None,
            stderr: None,
            log: None,
            stop: Stop::default(),
        }
    }

    fn in_ms(ms: u64) -> Instant {
        Instant::now() + Duration::from_millis(ms)
    }

    #[test]
    fn a_full_pipe_does_not_block() {
        let mut process = Process::start(&launch("sleep", &["600"])).expect("sleep is everywhere");
        let lines = vec![b'\n'; 1 << 20];
        assert_eq!(process.write(&lines, in_ms(50)), Err(Fault::Deaf));
    }

    #[test]
    fn a_wish_to_stop_ends_a_wait() {
        let launch = launch("sleep", &["600"]);
        let mut process = Process::start(&launch).expect("sleep is everywhere");
        launch.stop.now();
        assert_eq!(process.hear(in_ms(600_000)).unwrap_err(), Fault::Stopped);
    }

    #[test]
    fn who_quits_is_waited_for_and_who_does_not_is_killed() {
        let mut cat = Process::start(&launch("cat", &[])).expect("cat is everywhere");
        cat.ask_to_quit();
        assert!(cat.end(in_ms(60_000)), "cat ends with its input");
        let mut sleep = Process::start(&launch("sleep", &["600"])).expect("sleep is everywhere");
        sleep.ask_to_quit();
        assert!(!sleep.end(in_ms(20)));
    }

    #[test]
    fn a_death_is_told_with_its_cause() {
        let mut process =
            Process::start(&launch("sh", &["-c", "exit 9"])).expect("sh is everywhere");
        let death = Fault::Died(Death::Exited(9));
        assert_eq!(process.hear(in_ms(60_000)).unwrap_err(), death);
    }
}
