//! Child processes: started in a group of their own, written to with a deadline, heard by detached readers.
//!
//! [`Process::start`] is the beginning. Lines are text here; what they mean is [`client`](crate::client)'s.
//! Every wait has an absolute deadline and every buffer a bound, whatever the child does: the pipe to it never
//! blocks, and readers are never joined, since a grandchild may hold the other end for ever.

mod child;
mod log;
mod reader;
mod tail;

pub use child::{Death, Fault, Launch, Process, QUIT_PATIENCE};
pub use log::Log;
pub use reader::{LineFilter, Received, ReceivedLine};
