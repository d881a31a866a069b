//! The records of a match: the ledger, from which everything is read back, and its PGN twin for people and rating
//! programs.

mod file;
mod game;
mod ledger;
mod pgn;
mod pgn_read;
mod pgn_text;

pub use file::{read_records, read_text};
pub use game::{FaultReport, GameRecord, GameResult, PlyRecord, Points, Termination};
pub use ledger::{
    GameFinder, Ledger, LedgerError, LedgerWriter, SyncPolicy, open_ledger, parse_ledger,
    read_ledger,
};
pub use pgn::{PgnWriter, format_comment, format_pgn, wrap};
pub use pgn_read::{PgnGame, read_pgn};
