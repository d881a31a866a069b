//! Games as PGN, for people and rating programs.

mod read;
mod writer;

pub use read::{PgnGame, read_pgn};
pub use writer::{PgnFormat, format_thought};
