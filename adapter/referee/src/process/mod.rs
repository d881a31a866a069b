//! Child processes: each is started in its own process group and is written to and read without blocking.
//!
//! [`Process::start`] is the entry point. Lines are bytes here; the caller's [`LineFilter`] converts or drops each one.
//! All buffers are bounded. Reader threads are never joined, because a grandchild may hold the other end of the pipe
//! open indefinitely.

mod child;
mod log;
mod output_reader;
mod reader;
mod tail;
mod transport;

pub use child::{Launch, Process, QUIT_TIMEOUT, Reading};
pub use log::{Log, WIRE};
pub(crate) use tail::last_heard;
pub use transport::{AllLines, Batch, Death, Filtered, LineFilter, Orphans, Received, Transport};
