//! Tests of the crate from outside, as engines and referees use it: single rules, then arbitrary values and arbitrary
//! bytes.

mod commands;
mod fuzz;
mod lines;
mod refused;
mod replies;
mod round_trip;
mod spec;
mod text;
mod values;
