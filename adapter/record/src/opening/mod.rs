//! Openings: the positions from which games start.

pub(crate) mod position;
pub mod source;

pub use position::Opening;
pub use source::{Balance, OpeningSource};
