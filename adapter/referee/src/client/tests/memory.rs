//! An engine in memory for tests, without process, thread or clock.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Receiver;
use parking_lot::Mutex;
use protocol::line::RawLine;

use super::filter::{EngineFilter, Message};
use crate::process::{Batch, Death, LineFilter, Received, Transport};

/// Maps a line sent to the engine to the lines of its answer.
pub(crate) type Answers = Box<dyn FnMut(&str) -> Vec<String> + Send>;

/// In-memory connection to an engine. The referee uses it as a [`Transport`]; the test keeps a clone and plays the
/// engine.
#[derive(Clone)]
pub(crate) struct Wire(Arc<Mutex<WireState>>);

struct WireState {
    filter: EngineFilter,
    answers: Answers,
    sent: Vec<String>,
    inbox: VecDeque<Received<Message>>,
    /// The engine does not read its input.
    is_deaf: bool,
    closed: Option<Death>,
    exited: Option<Death>,
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wire")
    }
}

impl Wire {
    /// Creates an engine that sends lines only by [`say`](Wire::say).
    pub(crate) fn silent() -> Wire {
        Wire::answering(Box::new(|_| Vec::new()))
    }

    /// Creates an engine that answers each line immediately.
    pub(crate) fn answering(answers: Answers) -> Wire {
        Wire(Arc::new(Mutex::new(WireState {
            filter: EngineFilter::default(),
            answers,
            sent: Vec::new(),
            inbox: VecDeque::new(),
            is_deaf: false,
            closed: None,
            exited: None,
        })))
    }

    /// Makes the engine send lines, all with the same time stamp.
    pub(crate) fn say(&self, at: Instant, lines: &str) {
        self.0.lock().say(at, lines);
    }

    /// Returns the lines sent to the engine since the last call.
    pub(crate) fn sent(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().sent)
    }

    /// Makes the engine stop reading its input.
    pub(crate) fn deafen(&self) {
        self.0.lock().is_deaf = true;
    }

    /// Closes the engine's output.
    pub(crate) fn close(&self) {
        self.0.lock().closed = Some(Death::ClosedOutput);
    }

    /// Ends the engine's process.
    pub(crate) fn exit(&self, death: Death) {
        self.0.lock().exited = Some(death);
    }
}

impl WireState {
    fn say(&mut self, at: Instant, lines: &str) {
        for line in lines.lines() {
            let filtered = self.filter.filter(RawLine::Bytes(line.as_bytes()));
            let received = filtered.message.map(|message| Received { at, message });
            self.inbox.extend(received);
        }
    }
}

impl Transport<Message> for Wire {
    fn send(&mut self, lines: &[u8]) {
        let mut state = self.0.lock();
        for line in String::from_utf8_lossy(lines).lines() {
            state.sent.push(line.to_owned());
            let answers = (state.answers)(line);
            for answer in answers {
                state.say(Instant::now(), &answer);
            }
        }
    }

    fn flush(&mut self) -> bool {
        !self.0.lock().is_deaf
    }

    fn fetch(&mut self) {}

    fn receive(&mut self) -> Option<Received<Message>> {
        self.0.lock().inbox.pop_front()
    }

    fn wait(&mut self, _: Instant) {}

    fn receiver(&self) -> Option<&Receiver<Batch<Message>>> {
        None
    }

    fn closed(&self) -> Option<Death> {
        let state = self.0.lock();
        state.closed.filter(|_| state.inbox.is_empty())
    }

    fn exited(&self) -> Option<Death> {
        self.0.lock().exited
    }

    fn rename(&self, _: &str) {}

    fn last_output(&self) -> (Vec<String>, String) {
        Default::default()
    }

    fn close_input(&mut self) {}

    fn end(&mut self, _: Instant) -> bool {
        true
    }
}
