//! The records of a match: the ledger, from which a match is resumed and reported, and files derived from it, such as
//! PGN.

mod checksum;
mod epd;
mod file;
mod game;
mod game_finder;
mod ledger;
mod ledger_writer;
mod memory_ledger;
mod pgn;
mod pgn_read;
mod pgn_text;
mod twin;

pub(crate) use checksum::check as check_line;
pub use checksum::crc32;
pub use epd::EpdWriter;
pub(crate) use file::refuse_devices;
pub use file::{read_records, read_text};
pub use game::{FaultReport, GameRecord, GameResult, Machine, PlyRecord, Points, Termination};
pub use game_finder::GameFinder;
pub(crate) use ledger::whole_lines;
pub use ledger::{Ledger, LedgerError, open_ledger, parse_ledger, read_ledger};
#[cfg(test)]
pub(crate) use ledger_writer::LedgerFile;
pub(crate) use ledger_writer::lock;
pub(crate) use ledger_writer::sealed_lines;
pub use ledger_writer::{LedgerWriter, SyncPolicy};
pub use memory_ledger::MemoryLedger;
pub use pgn::{PgnWriter, format_annotated_pgn, format_comment, format_pgn, format_thought, wrap};
pub use pgn_read::{PgnGame, read_pgn};
pub(crate) use pgn_text::{quote, unescape};
