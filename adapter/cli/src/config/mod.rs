//! TOML files: the user's engines, and plans of matches.
//!
//! A file holds the words of the command line in another notation, and the code for the command line checks them. Paths in
//! a file are relative to its folder.

mod engines_file;
mod plan_file;
pub(crate) mod words;

pub use engines_file::{Described, EnginesFile, read_words};
pub use plan_file::complete;
pub(crate) use plan_file::save;
