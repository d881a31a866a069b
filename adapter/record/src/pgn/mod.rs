//! Games as PGN, for people and rating programs.

mod read;
pub(crate) mod text;
mod writer;

pub use read::{PgnGame, read_pgn};
pub use text::{quote, unescape};
pub use writer::{
    PgnWriter, format_annotated_pgn, format_comment, format_pgn, format_thought, wrap,
};
