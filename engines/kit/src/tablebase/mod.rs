//! Endgame tables: the value of every position on a small board, with its distance to the end.
//!
//! A game assigns an index to each position ([`Numbering`]); this module does the rest. [`build`](fn@build) solves all
//! indices in memory (`solver`, with `layers`, `distance` and `sections` for the solving orders), writes snapshots
//! (`snapshot`), so that a build can be stopped and resumed, and writes a `file`. [`Tablebase`] probes such a file.
//! `spec/tables.md` documents its format.

mod answer;
mod build;
mod cells;
mod distance;
mod dyn_table;
mod error;
mod file;
mod layers;
mod numbering;
mod probe;
mod sections;
mod snapshot;
mod solver;
mod values;
mod verify;

pub use build::{BuildSettings, Plan, Progress, build, plan};
pub use dyn_table::{Built, DynTable, OpenedTable, TableEntry};
pub use error::{BuildError, TableError};
pub use file::{Counts, TableInfo, read_info};
pub use numbering::{
    Ending, MAX_PLIES, MAX_PLIES_OF_BYTE, MoveGraph, Numbering, Order, Origin, Slot, Successor,
    Tabulated, Walker,
};
pub use probe::Tablebase;
pub use verify::{Sample, VerifyError, verify};
