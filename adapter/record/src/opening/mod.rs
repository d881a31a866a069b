//! Openings: the positions from which games start.

pub(crate) mod balance;
pub(crate) mod position;
pub mod random;
pub mod source;

pub use balance::Balance;
pub use position::Opening;
pub use source::OpeningSource;
