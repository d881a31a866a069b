//! Wakes up a thread that waits for the pipes of engines, from another thread.

use std::io::{self, PipeReader, PipeWriter, Read, Write, pipe};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;

use super::set_nonblocking;

/// The end that wakes up. Clones wake up the same thread; when the last one is dropped, its thread is awake from then on.
#[derive(Debug, Clone)]
pub struct Waker(Arc<PipeWriter>);

/// The end that is waited for, by [`wait_any`](crate::engine::wait_any).
#[derive(Debug)]
pub struct Alarm(PipeReader);

/// Both ends.
///
/// # Errors
/// The system has no more descriptors.
pub fn waker() -> io::Result<(Waker, Alarm)> {
    let (reader, writer) = pipe()?;
    set_nonblocking(&reader)?;
    set_nonblocking(&writer)?;
    Ok((Waker(Arc::new(writer)), Alarm(reader)))
}

impl Waker {
    /// Wakes the thread up, or lets its next wait end at once.
    pub fn wake(&self) {
        // If the pipe is full, the thread is awake.
        let _ = (&*self.0).write(b"\n");
    }
}

impl Alarm {
    /// Forgets earlier wake-ups. What they were for must be read afterwards.
    pub fn clear(&self) {
        let mut bytes = [0; 256];
        while (&self.0).read(&mut bytes).is_ok_and(|n| n == bytes.len()) {}
    }
}

impl AsFd for Alarm {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
