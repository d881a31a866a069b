//! Projex (Bill Taylor, 1994): rules, notation and engine.
pub mod board;
mod chains;
mod draw;
mod loops;
mod notation;
pub mod position;
pub mod rules;
pub use rules::{Move, Projex};
