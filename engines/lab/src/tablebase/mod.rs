//! Builds tables of perfect play: the value of every position of a small board, with its distance to the end.
//!
//! A game numbers its positions and lists their moves ([`MoveGraph`](kit::tablebase::MoveGraph)). [`build`](fn@build) solves
//! all of them in memory (`solver`, by `sweeps` or `sections`), and `write` writes the file. [`verify`]
//! holds a table against the rules. `spec/lab.md` documents the file.

mod build;
mod progress;
mod sections;
mod solver;
mod sweeps;
mod table_builder;
mod verify;
mod write;

pub use build::{BuildPlan, BuildSettings, build, plan};
pub use progress::{BuildError, BuildProgress};
pub use table_builder::{Built, TableBuilder, Verify};
pub use verify::{CheckedPositions, VerifyError, verify};
