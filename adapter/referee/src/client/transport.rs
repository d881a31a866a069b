//! What carries lines between the referee and an engine.

use std::fmt;
use std::time::Instant;

use crossbeam_channel::Receiver;

use super::filter::Message;
use crate::process::{Batch, Death, Process, Received};

/// Carries lines to an engine, and what it says back. No call blocks but [`wait`](Transport::wait) and
/// [`end`](Transport::end).
pub trait Transport: Send + fmt::Debug {
    /// Sends whole lines, each ended by a line break. What the engine does not read yet is kept.
    fn send(&mut self, lines: &[u8]);

    /// Sends what was kept, as far as the engine reads it now. Whether all was sent.
    fn flush(&mut self) -> bool;

    /// Reads what the engine has said, without waiting, if no thread of its own does.
    fn fetch(&mut self);

    /// The next message that was read.
    fn receive(&mut self) -> Option<Received<Message>>;

    /// Blocks until something was read or the time is there.
    fn wait(&mut self, until: Instant);

    /// Where messages arrive, to be selected on; `None` once nothing more will come.
    fn receiver(&self) -> Option<&Receiver<Batch<Message>>>;

    /// The pipe that is closed, once all was received.
    fn closed(&self) -> Option<Death>;

    /// How the engine ended, if it has. All that it said may not have been received yet.
    fn exited(&self) -> Option<Death>;

    /// Changes the name in the log.
    fn rename(&self, name: &str);

    /// The last lines exchanged and the end of what went to standard error, for a report.
    fn last_output(&self) -> (Vec<String>, String);

    /// Closes the engine's input.
    fn close_input(&mut self);

    /// Blocks until the engine ends or the time is there. Whether it ended by itself.
    fn end(&mut self, deadline: Instant) -> bool;
}

impl Transport for Process<Message> {
    fn send(&mut self, lines: &[u8]) {
        Process::send(self, lines);
    }

    fn flush(&mut self) -> bool {
        Process::flush(self);
        !self.has_unsent()
    }

    fn fetch(&mut self) {
        Process::fetch(self);
    }

    fn receive(&mut self) -> Option<Received<Message>> {
        Process::receive(self)
    }

    fn wait(&mut self, until: Instant) {
        Process::wait(self, until);
    }

    fn receiver(&self) -> Option<&Receiver<Batch<Message>>> {
        Process::receiver(self)
    }

    fn closed(&self) -> Option<Death> {
        if self.is_output_closed() {
            return Some(Death::ClosedOutput);
        }
        self.is_input_closed().then_some(Death::ClosedInput)
    }

    fn exited(&self) -> Option<Death> {
        Process::exited(self)
    }

    fn rename(&self, name: &str) {
        Process::rename(self, name);
    }

    fn last_output(&self) -> (Vec<String>, String) {
        (self.transcript(), self.stderr())
    }

    fn close_input(&mut self) {
        Process::close_input(self);
    }

    fn end(&mut self, deadline: Instant) -> bool {
        self.await_exit(deadline).is_some()
    }
}
