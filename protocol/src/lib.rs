//! The line protocol between a game engine and whoever drives it: UGI, with UCI as a second dialect.
//!
//! Lines become [`Command`]s (to an engine) and [`Reply`]s (from an engine), and both become lines again.
//! This crate knows no game: a move and a position are text here. Start with [`command`] and [`reply`];
//! [`line`] turns any bytes into bounded lines, and [`connection`] carries them between threads.

pub mod command;
pub mod option;
pub mod reply;

pub use command::{Base, Command, Dialect, Go, Query};
pub use option::{OptionDecl, OptionKind};
pub use reply::{Bound, Info, Reply, Score};
pub mod text;
