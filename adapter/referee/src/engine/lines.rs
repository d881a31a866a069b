//! The lines of a process, for callers that want every one: with deadlines, and with its death.

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use protocol::Line;

use super::dialogue::Watch;
use super::fault::Fault;
use crate::process::{Death, Life, Process, read_at_once, wait_any};
use crate::stop::Stop;

/// Maximum number of lines that are read while others are being sent.
const MAX_RECEIVED: usize = 1 << 12;

/// Pause while a process writes without end and does not read.
const FLOOD_PAUSE: Duration = Duration::from_millis(20);

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
            self.watch.check(process, closed, Some(due), now)?;
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
        if self.process.is_output_closed() && self.received.is_empty() {
            self.process.await_exit(until);
        }
        while self.received.is_empty() && !self.process.is_output_closed() {
            let (received, process) = (&mut self.received, &mut self.process);
            let now = Instant::now();
            if read_at_once(now, until, || read_into(received, process)) || now >= until {
                break;
            }
            wait_any(&mut [process], None, Some(until));
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
