//! The ledger: JSON lines, the plan first, then one finished game a line.
//!
//! [`parse_ledger`] reads one, [`LedgerReader`] reads it game by game, and [`LedgerWriter`] writes one
//! while it is locked. `spec/match.md` documents the lines.

pub(crate) mod checksum;
pub(crate) mod file;

mod read;
pub(crate) mod writer;

pub use checksum::{check as check_line, complete_lines, crc32};
pub use file::{LedgerFile, MemoryLedger, lock};
pub use read::{
    GameFinder, Ledger, LedgerError, LedgerReader, ledger_games, open_ledger, parse_ledger,
};
pub use writer::{BegunHere, LedgerWriter, NO_LINES, SyncPolicy, first_lines, sealed_lines};
