//! The file of a table: a header, a directory, and blocks of values and of distances, each compressed separately.
//! `spec/tables.md` documents the format.

mod block;
mod header;
mod read;
mod write;

pub(super) use block::N_PER_BLOCK;
pub(super) use header::Identity;
pub use header::{Counts, TableInfo};
pub(super) use read::TableFile;
pub use read::read_info;
pub(super) use write::write;
