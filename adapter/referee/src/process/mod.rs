//! Child processes: started in a group of their own, written to and read without blocking.
//!
//! [`Process::start`] is the beginning. Lines are bytes here; the caller's [`LineFilter`] says what becomes of each
//! line. Every buffer has a bound, whatever the child does. Threads that read are never joined, since a grandchild may
//! hold the other end of the pipe for ever.

mod child;
mod death;
mod error_output;
mod filter;
mod intake;
mod log;
mod orphans;
mod reader;
mod tail;
mod trace;

pub use child::{Launch, Process, QUIT_TIMEOUT, Reading};
pub use death::Death;
pub use filter::{Batch, Filtered, LineFilter, Received};
pub use log::Log;
pub use orphans::Orphans;
