//! What is kept of a match: the ledger is the truth, the PGN file its twin for people and rating programs.

mod game;
mod ledger;
mod pgn;
mod pgn_read;

pub use game::{FaultReport, GameRecord, GameResult, PlyRecord, Points, Termination};
pub use ledger::{
    GameFinder, Ledger, LedgerError, LedgerWriter, SyncPolicy, open_ledger, parse_ledger,
    read_ledger, read_records,
};
pub use pgn::{PgnWriter, format_comment, format_pgn, wrap};
pub use pgn_read::{PgnGame, read_pgn};
