//! What an engine thinks of positions: lines that grow while somebody looks on, and the review of a whole game.
//!
//! `Analyser` drives one engine through one position after the other, without waiting; [`Lines`] is what it has found,
//! held against the rules. [`Review`] goes through a game ply by ply and says what each move cost. A table drives both;
//! [`Review`] also serves whoever has an engine and waits for it.

mod analyser;
mod lines;
mod odds;
mod review;

pub(crate) use analyser::{Analyser, Progress, Task};
pub use lines::{Line, LineBound, Lines, MAX_LINES};
pub use odds::win_share;
pub use review::{Review, ReviewedPly, THROWN_AWAY};
