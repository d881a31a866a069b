//! Builds tables of perfect play: the value of every position of a small board, with its distance to the end.
//!
//! A game numbers its positions and lists their moves ([`MoveGraph`](kit::tablebase::MoveGraph)). [`build`](fn@build)
//! solves all of them in memory (`solver`, by `sweeps` or `sections`), and `write` writes the file. [`verify`] holds a
//! table against the rules. `spec/lab.md` documents the file.

mod build;
mod sections;
mod solver;
mod sweeps;
mod verify;
mod write;

pub use build::{BuildPlan, Built, TableBuilder, Verify, build, plan};
pub use solver::{BuildError, BuildProgress};
pub use verify::{CheckedPositions, VerifyError, verify};
