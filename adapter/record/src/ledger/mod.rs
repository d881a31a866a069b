//! The ledger: JSON lines, the plan first, then one finished game a line.
//!
//! [`read_ledger`] and [`parse_ledger`] read one, [`LedgerReader`] reads it game by game, and [`LedgerWriter`] writes one
//! while it is locked. `spec/match.md` documents the lines.

pub(crate) mod checksum;
pub(crate) mod file;
pub(crate) mod line;

mod begun_here;
mod game_finder;
mod memory;
mod read;
pub(crate) mod writer;

pub use begun_here::BegunHere;
pub use checksum::{check as check_line, crc32};
pub use file::{LedgerFile, lock};
pub use game_finder::GameFinder;
pub use line::whole_lines;
pub use memory::MemoryLedger;
pub use read::{
    Ledger, LedgerError, LedgerReader, ledger_games, open_ledger, parse_ledger, read_ledger,
};
pub use writer::{LedgerWriter, NO_LINES, SyncPolicy, sealed_lines};
