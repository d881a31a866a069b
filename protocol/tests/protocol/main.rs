//! Tests of the crate from outside, as engines and referees use it: the rules one by one, then any value and any
//! bytes.

mod commands;
mod connection;
mod fuzz;
mod lines;
mod replies;
mod round_trip;
mod spec;
mod values;
