//! Tests of the crate from outside, as engines and referees use it.

mod commands;
mod connection;
mod lines;
mod replies;
