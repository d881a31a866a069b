//! Child processes: started in a group of their own, written to without blocking, read by detached threads.
//!
//! [`Process::start`] is the beginning. Lines are bytes here; the caller's [`LineFilter`] says what becomes of each
//! line. Every buffer has a bound, whatever the child does. Reading threads are never joined, since a grandchild may
//! hold the other end of the pipe for ever.

mod child;
mod death;
mod log;
mod reader;
mod tail;
mod trace;

pub use child::{Launch, Process, QUIT_TIMEOUT};
pub use death::Death;
pub use log::Log;
pub use reader::{Batch, Filtered, LineFilter, Received};
