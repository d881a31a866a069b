//! Commands that have an engine or a solver look at positions.

pub(crate) mod analyse;
pub(crate) mod move_review;
pub(crate) mod puzzle;
pub mod solver;
