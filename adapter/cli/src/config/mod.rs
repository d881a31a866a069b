//! TOML files: the user's engines, and whole matches.
//!
//! A file holds the words of the command line in another notation. It is converted to those words and parsed by the
//! code for the command line; this module adds the line numbers for errors. Paths in a file are relative to its
//! folder.

mod document;
mod engine_table;
mod engines_file;
mod match_file;
mod place;
mod save;

pub(crate) use engines_file::{Described, EnginesFile, read_words};
pub(crate) use match_file::{Origin, merge};
pub(crate) use save::{SavedConfig, saved};
