//! Analysis by an engine: live lines of a position, and the review of a whole game.
//!
//! `Analyser` runs one engine on successive positions without blocking; `Lines` are its results, checked against the
//! rules. [`Review`] goes through a game ply by ply and computes the loss of each move. A table uses both; [`Review`]
//! can also be used with any engine, blocking.

mod analyser;
mod lines;
mod review;

pub use analyser::{Analyser, AnalysisProgress, Task};
pub use lines::{Line, LineBound, Lines, MAX_LINES, ReviewedPly, THROWN_AWAY, score_order};
pub use review::{Review, win_share};
