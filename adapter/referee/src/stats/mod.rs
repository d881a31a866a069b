//! Statistics of finished games. Nothing is printed here.
//!
//! [`Report`] holds all statistics of a list of games; each module computes one of them.

mod clocks;
mod elo;
mod rating;
mod report;
mod sample;
mod sprt;
mod standing;
mod tally;
#[cfg(test)]
mod testing;

pub use clocks::{TimeUse, time_use};
pub use elo::{Elo, Interval};
pub use rating::{Rating, Ratings, rate};
pub use report::{Duel, FirstMover, Repeats, Report};
pub use sample::{Pairs, Sample};
pub use sprt::{Decision, Model, Sprt, SprtStatus};
pub use standing::{Counter, Standing};
pub use tally::{Row, Tally, Wdl};
