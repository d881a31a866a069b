//! `linesman match`: a match from its plan to its last output.
//!
//! `plan` makes checked values of the arguments, `command` begins a new match and `resume` an old one, `games` plays either,
//! while `live` shows it; `outputs` are the files next to the ledger.

mod command;
mod games;
pub mod host;
mod live;
pub mod openings;
pub(crate) mod outputs;
pub(crate) mod plan;
pub(crate) mod resume;

pub use command::run;
pub use games::{Coordinate, Machines};
