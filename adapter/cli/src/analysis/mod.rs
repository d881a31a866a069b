//! Commands that have an engine or a solver look at positions.

pub(crate) mod analyse;
pub(crate) mod mine;
pub(crate) mod move_review;
pub(crate) mod prove;
pub(crate) mod puzzle;
pub(crate) mod puzzle_set;
pub(crate) mod solve;
mod solver;
pub(crate) mod tablebase;
