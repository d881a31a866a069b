//! Waiting for the next line of a process, with a deadline. No line reports its death, so that is checked meanwhile.
//!
//! [`Watch`] alone decides when a process counts as dead or late. An [`Engine`](super::Engine) asks it between the steps of its
//! dialogue; [`Lines`] blocks on it, for callers that want every line.

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use protocol::Line;

use super::fault::Fault;
use crate::process::{Death, Process, wait_any};
use crate::stop::Stop;

/// Time that a process with a closed pipe has to exit, so that its exit status can be reported.
pub(super) const EXIT_TIMEOUT: Duration = Duration::from_millis(50);

/// Interval for checking that a process with an outstanding reply is alive. If it dies while one of its children holds
/// the pipe open, the pipe does not close.
pub(super) const LIFE_CHECK: Duration = Duration::from_millis(50);

/// Maximum number of lines that are read while others are being sent.
const MAX_RECEIVED: usize = 1 << 12;

/// Pause while a process writes without end and does not read.
const FLOOD_PAUSE: Duration = Duration::from_millis(20);

/// The state of a process, apart from its lines.
pub(super) trait Life {
    /// The pipe that it has closed, once everything was read.
    fn closed(&self) -> Option<Death>;
    /// Its death, if it has exited.
    fn exited(&self) -> Option<Death>;
    /// Sends what it has not read. Returns `true` if nothing is left.
    fn flush(&mut self) -> bool;
    /// The last line that it wrote.
    fn last_heard(&self) -> Option<String>;
}

impl Life for Process {
    fn closed(&self) -> Option<Death> {
        if self.is_output_closed() {
            return Some(Death::ClosedOutput);
        }
        self.is_input_closed().then_some(Death::ClosedInput)
    }

    fn exited(&self) -> Option<Death> {
        self.exited()
    }

    fn flush(&mut self) -> bool {
        self.flush()
    }

    fn last_heard(&self) -> Option<String> {
        self.last_heard()
    }
}

/// The reason for a missing reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missed {
    /// The process has exited, or closed a pipe.
    Died(Death),
    /// The deadline has passed.
    Late,
}

/// The wait for one reply: its deadline, and the checks that the process is alive.
#[derive(Debug, Default)]
pub(super) struct Watch {
    deadline: Option<Instant>,
    /// Time of the next check that the process is alive; `None` while no reply is due.
    next_check: Option<Instant>,
    /// It was dead at the last check.
    was_dead: bool,
    /// Deadline for a process with a closed pipe to exit by itself.
    exit_deadline: Option<Instant>,
}

impl Watch {
    /// Starts to wait for a reply until the deadline; `None` ends the wait.
    pub(super) fn set(&mut self, deadline: Option<Instant>, now: Instant) {
        self.deadline = deadline;
        self.next_check = deadline.map(|_| now + LIFE_CHECK);
        self.was_dead = false;
    }

    /// Ends the wait.
    pub(super) fn end(&mut self) {
        (self.deadline, self.next_check) = (None, None);
    }

    /// `true` for something that arrived after the deadline.
    pub(super) fn is_late(&self, at: Instant) -> bool {
        self.deadline.is_some_and(|deadline| at > deadline)
    }

    /// Latest time of the next [`check`](Watch::check).
    pub(super) fn due(&self) -> Option<Instant> {
        let times = [self.deadline, self.next_check, self.exit_deadline];
        times.into_iter().flatten().min()
    }

    /// Checks a process whose output was read, and which has `closed` this pipe.
    pub(super) fn check(
        &mut self,
        life: &mut dyn Life,
        closed: Option<Death>,
        now: Instant,
    ) -> Result<(), Missed> {
        if let Some(closed) = closed {
            // The exit status of a process that is about to exit is more informative.
            let last = *self.exit_deadline.get_or_insert(now + EXIT_TIMEOUT);
            let death = life.exited().or((now >= last).then_some(closed));
            return death.map_or(Ok(()), |death| Err(Missed::Died(death)));
        }
        life.flush();
        if self.next_check.is_some_and(|check| now >= check) {
            self.next_check = Some(now + LIFE_CHECK);
            let death = life.exited();
            // A process that was already dead at the previous check cannot have written anything since.
            let had_time = std::mem::replace(&mut self.was_dead, death.is_some());
            if let Some(death) = death.filter(|_| had_time) {
                return Err(Missed::Died(death));
            }
        }
        match self.deadline {
            Some(deadline) if now >= deadline => Err(Missed::Late),
            _ => Ok(()),
        }
    }
}

/// The lines of a process, each with its time of arrival. More are read only when the caller has received these.
#[derive(Debug)]
pub struct Lines {
    /// The process.
    pub process: Process,
    /// Interrupts any wait for a line.
    stop: Stop,
    received: VecDeque<(Instant, Line)>,
    watch: Watch,
}

impl Lines {
    /// The lines of a process.
    pub fn of(process: Process, stop: Stop) -> Lines {
        Lines {
            process,
            stop,
            received: VecDeque::new(),
            watch: Watch::default(),
        }
    }

    /// Blocks until the next line. `due` names it in the fault.
    ///
    /// # Errors
    /// None arrives by the deadline, the process has ended, or the program must stop. A line that arrives later is received
    /// by the next call.
    pub fn receive(
        &mut self,
        due: &'static str,
        deadline: Instant,
    ) -> Result<(Instant, Line), Fault> {
        self.watch.set(Some(deadline), Instant::now());
        loop {
            match self.received.front() {
                Some((at, _)) if self.watch.is_late(*at) => return Err(Fault::Silent(due)),
                Some(_) => break,
                None if self.stop.is_now() => return Err(Fault::Stopped),
                None => {}
            }
            let (now, process) = (Instant::now(), &mut self.process);
            let closed = process.is_output_closed().then_some(Death::ClosedOutput);
            match self.watch.check(process, closed, now) {
                Ok(()) => {}
                Err(Missed::Died(death)) => return Err(Fault::died(death, Some(due))),
                Err(Missed::Late) => return Err(Fault::Silent(due)),
            }
            self.read(self.watch.due().unwrap_or(deadline));
        }
        Ok(self.received.pop_front().expect("there is one"))
    }

    /// The next line, if one was read.
    pub fn next_read(&mut self) -> Option<Line> {
        self.received.pop_front().map(|(_, line)| line)
    }

    /// Blocks until there is a line, the output is closed, or the time is reached. If it is closed already, until the process
    /// ends.
    pub fn read(&mut self, until: Instant) {
        let received = &mut self.received;
        if received.is_empty() {
            self.process
                .wait(until, &mut |process| read_into(received, process));
        }
    }

    /// Blocks until the process has read what was sent or the time is reached. Returns `true` in the first case. Reads
    /// meanwhile, since the process may block on its output.
    pub fn wait_for_room(&mut self, until: Instant) -> bool {
        while !self.process.flush() {
            if Instant::now() >= until {
                return false;
            }
            wait_any(&mut [&mut self.process], None, Some(until));
            match self.received.len() < MAX_RECEIVED {
                true => drop(read_into(&mut self.received, &mut self.process)),
                false => thread::sleep(FLOOD_PAUSE),
            }
        }
        true
    }
}

fn read_into(received: &mut VecDeque<(Instant, Line)>, process: &mut Process) -> bool {
    process.read(|at, line| {
        received.push_back((at, line.to_line()));
        line.is("info")
    })
}

#[cfg(test)]
#[path = "../tests/process.rs"]
mod tests;
