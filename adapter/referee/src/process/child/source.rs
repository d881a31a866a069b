//! Source of a child's messages: read by the waiting thread itself or received through a channel.

use std::sync::Arc;
use std::time::Instant;
use std::{fmt, vec};

use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError};
use parking_lot::Mutex;

use crate::process::output_reader::OutputReader;
use crate::process::transport::{Batch, Received};

/// Source of a child's messages.
pub(super) enum Source<M> {
    /// None yet: the process has not been started completely.
    None,
    /// The waiting thread reads the output.
    Direct(Arc<Mutex<OutputReader<M>>>),
    /// A separate thread reads the output and sends batches. `batch` is the current one.
    Channel {
        batches: Receiver<Batch<M>>,
        batch: vec::IntoIter<Received<M>>,
        is_closed: bool,
        /// Keeps the reader thread running.
        _intake: Arc<Mutex<OutputReader<M>>>,
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

impl<M: Send + 'static> Source<M> {
    /// Blocks until a message was read, the output is closed, or the time is reached. Returns `false` in the last case.
    pub(super) fn wait(&mut self, until: Instant) -> bool {
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

    /// Reads available output without blocking.
    pub(super) fn fetch(&self) {
        if let Source::Direct(intake) = self {
            intake.lock().fetch();
        }
    }

    /// Returns the next message that was read, or `None`.
    pub(super) fn receive(&mut self) -> Option<Received<M>> {
        match self {
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

    /// The channel, until it is closed.
    pub(super) fn receiver(&self) -> Option<&Receiver<Batch<M>>> {
        match self {
            Source::Channel {
                batches,
                is_closed: false,
                ..
            } => Some(batches),
            _ => None,
        }
    }

    /// `true` once the output is closed and all messages were received.
    pub(super) fn is_closed(&self) -> bool {
        match self {
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
}
