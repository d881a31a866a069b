//! The referee: matches between engines of any two-player game, as a library.
//!
//! `plan -> schedule -> play(players, arbiter, clock) -> record -> stats`. A [`plan::Plan`] describes a match,
//! [`tournament::Tournament`] plays it and sends [`event::Event`]s to subscribers. Every engine is a child process
//! behind a pipe, including the built-in ones. This crate never prints, exits or reads the terminal; the command line
//! (`cli/`) does.

pub mod affinity;
pub mod outputs;
pub mod plan;

pub mod opening;
pub mod registry;
pub mod schedule;

pub mod client;
pub mod player;
pub mod process;

pub mod adjudication;
pub mod analysis;
pub mod arbiter;
pub mod clock;
pub mod game_table;
pub mod play;
pub mod table;

pub mod check;
pub mod solve;
pub mod spsa;
pub mod suite;

pub mod event;
pub mod record;
pub mod stats;

mod capacity;
mod pool;
pub mod queue;
mod scoreboard;
pub mod tournament;

pub mod date;
mod platform;
pub mod stop;
mod text_serde;

#[cfg(test)]
mod testing;
