//! Transport of lines between the referee and an engine.

use std::fmt;
use std::time::Instant;

use crossbeam_channel::Receiver;

use super::death::Death;
use super::filter::{Batch, Received};

/// Sends lines to an engine and receives its output. Only [`wait`](Transport::wait) and [`end`](Transport::end) block.
pub trait Transport<M>: Send + fmt::Debug {
    /// Sends whole lines, each ended by a line break. Lines that the engine does not read yet are buffered.
    fn send(&mut self, lines: &[u8]);

    /// Sends buffered lines as far as the engine reads them. Returns `true` if the buffer is empty.
    fn flush(&mut self) -> bool;

    /// Reads available output without blocking, unless a separate thread reads it.
    fn fetch(&mut self);

    /// Returns the next message, or `None` if none was read.
    fn receive(&mut self) -> Option<Received<M>>;

    /// Blocks until output was read or closed, or the time is reached. Sends buffered lines in the meantime.
    fn wait(&mut self, until: Instant);

    /// The channel of messages, for selecting on it; `None` once it is closed, or if there is none. Callers must not take
    /// batches from it, but call [`receive`](Transport::receive).
    fn receiver(&self) -> Option<&Receiver<Batch<M>>>;

    /// The closed pipe, if any, once all messages were received.
    fn closed(&self) -> Option<Death>;

    /// Exit status or signal of the process, once it has ended. There may still be messages to receive.
    fn exited(&self) -> Option<Death>;

    /// Changes the engine's name in the log.
    fn rename(&self, name: &str);

    /// The last lines exchanged, and the end of the engine's standard error.
    fn last_output(&self) -> (Vec<String>, String);

    /// Closes the engine's input and discards buffered lines.
    fn close_input(&mut self);

    /// Blocks until the engine ends or the deadline is reached. Returns `true` if it ended by itself.
    fn end(&mut self, deadline: Instant) -> bool;
}
