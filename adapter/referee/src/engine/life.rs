//! What no line of an engine says: that its process has ended or closed a pipe, or that a reply is late.

use std::time::{Duration, Instant};

use super::dialogue::{Dialogue, State};
use super::fault::Fault;
use crate::process::{Death, Process};

/// Time that a process with a closed pipe has to exit, so that its exit status can be reported.
pub(super) const EXIT_TIMEOUT: Duration = Duration::from_millis(50);

/// Interval for checking that a process with an outstanding reply is alive. If it dies while one of its children holds
/// the pipe open, the pipe does not close.
pub(super) const LIFE_CHECK: Duration = Duration::from_millis(50);

/// The state of the process, apart from its lines.
pub(super) trait Life {
    /// The pipe that it has closed, once everything was read.
    fn closed(&self) -> Option<Death>;
    /// Its end.
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

impl Dialogue {
    /// Checks for faults that no message reports: a closed pipe, a dead process, a missed deadline.
    pub(super) fn check(&mut self, life: &mut dyn Life, now: Instant) -> Result<(), Fault> {
        if let Some(closed) = life.closed() {
            // A process with a closed pipe has time to exit, since its exit status is more informative.
            let last = *self.exit_deadline.get_or_insert(now + EXIT_TIMEOUT);
            return match life.exited() {
                Some(death) => Err(self.died(death)),
                None if now >= last => Err(self.died(closed)),
                None => Ok(()),
            };
        }
        life.flush();
        if self.life_check.is_some_and(|check| now >= check) {
            self.life_check = Some(now + LIFE_CHECK);
            let death = life.exited();
            // A process that was already dead at the previous check cannot have written anything since.
            let had_time = std::mem::replace(&mut self.was_dead, death.is_some());
            if let Some(death) = death.filter(|_| had_time) {
                return Err(self.died(death));
            }
        }
        match self.deadline {
            Some(deadline) if now >= deadline => Err(self.silence(life)),
            _ => Ok(()),
        }
    }

    fn died(&mut self, death: Death) -> Fault {
        let due = self.due();
        self.rest();
        Fault::died(death, due)
    }

    /// Returns the fault of a missed deadline. The `bestmove` of a search may still arrive, so the search is abandoned.
    pub(super) fn silence(&mut self, life: &mut dyn Life) -> Fault {
        let due = self.due().unwrap_or("answer");
        self.queue.clear();
        let is_greeting = self.state == State::Handshake;
        match self.state {
            State::Thinking { .. } | State::Abandoned { .. } => self.abandon(),
            _ => self.rest(),
        }
        match life.flush() {
            false => Fault::Unread(due),
            true if is_greeting => Fault::Ungreeted {
                dialect: self.dialect,
                heard: life.last_heard(),
            },
            true => Fault::Silent(due),
        }
    }

    /// The expected reply, for error messages.
    fn due(&self) -> Option<&'static str> {
        Some(match self.state {
            State::Idle | State::Pondering { .. } => return None,
            State::Handshake => self.dialect.handshake_ok(),
            State::Setting | State::Preparing | State::Probing { .. } => "readyok",
            State::Thinking { .. } | State::Abandoned { .. } => "bestmove",
            State::Answering { .. } => "response",
        })
    }
}
