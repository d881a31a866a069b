//! The file of a table: a header, a directory, and blocks of values and of distances, each compressed separately.
//! `spec/lab.md` documents the format.

mod block;
mod header;
mod read;

pub use block::{N_PER_BLOCK, pack};
pub use header::{BlockEntry, Counts, Identity, PackedPart, TableInfo, encode};
pub use read::{TableFile, read_info};
