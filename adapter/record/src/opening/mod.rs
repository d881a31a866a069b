//! Openings: the positions from which games start.

pub(crate) mod position;
pub mod source;

pub use source::{Balance, OpeningSource};
pub use position::Opening;
