//! Openings of a match that are read from files or requested from engines.
//!
//! The type [`Opening`](record::opening::Opening), and random openings, are in the crate `record`.

pub mod asked;
mod book;
mod file;

pub use book::Book;
pub use file::{FileError, load};
