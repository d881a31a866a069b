//! The referee: matches between engines of any two-player game, as a library.
//!
//! Every engine is a child process behind the same pipe, the built-in ones too. Nothing here prints, exits or reads
//! the terminal.

pub mod client;
pub mod process;

pub mod stop;
mod sync;
