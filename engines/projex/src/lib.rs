//! Projex (Bill Taylor, 1994): rules, notation and engine.

pub mod board;
