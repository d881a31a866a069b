//! Endgame tables: the value of every position on a small board, with its distance to the end.
//!
//! A game gives each of its positions a number ([`Indexing`]) and lists the moves between numbers ([`MoveGraph`]).
//! `engines/lab` builds a table from that. [`Tablebase`] probes its [`mod@file`]; `answer` plays by it. `spec/lab.md`
//! documents the file.

mod answer;
pub mod code;
pub mod file;
mod move_graph;
mod probe;
mod symmetry;

pub use file::{Counts, Identity, TableError, TableFile, TableInfo, read_info};
pub use move_graph::{
    Indexing, InitialValue, MoveGraph, PredecessorBlock, Successor, Tabulated, Walker, indexing,
};
pub use probe::{Tablebase, open_file};
pub use symmetry::{SymmetryClass, SymmetryClasses};

/// The longest distance in plies that a table file holds.
pub const MAX_PLIES: u32 = 255;
