//! Statistics of finished games. This module never prints.
//!
//! [`Summary`] counts games one by one; it gives the [`Standing`] of a match, the [`Report`] of its games, and the data of
//! plots and lists. Each submodule computes one part of them.

mod elo;
mod faults;
mod lengths;
mod prefix;
mod rating;
mod report;
mod rounds;
mod sample;
pub(crate) mod sprt;
mod summary;
#[cfg(test)]
mod testing;
mod thinking;

pub use elo::{Elo, Interval};
pub use faults::{Fault, FaultCounts, Faults};
pub use lengths::{LengthBin, Lengths};
pub use rating::{Rating, Ratings};
pub use report::{Duel, FirstMover, Repeats, Report, Standing};
pub use rounds::{MeetingRow, PlaceRow, RoundRow, RoundTable};
pub use sample::{Pairs, Row, Sample, Tally, Wdl};
pub use sprt::{Decision, Model, Sprt, SprtStatus};
pub use summary::{GameLine, ProgressPoint, Summary, Window};
pub use thinking::{MoveTime, ThinkingTime};
