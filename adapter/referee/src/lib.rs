//! The referee: matches between engines of any two-player game, as a library.
//!
//! `plan -> schedule -> play(engines, live game) -> record -> stats`. A [`Plan`](record::plan::Plan) describes a match,
//! [`tournament::Tournament`] plays it and sends [`Event`](record::event::Event)s to subscribers. Every [`engine::Engine`] is
//! a child process behind a pipe, including the built-in ones; a [`live_game::LiveGame`] is a function of what they answer.
//! Plans, events, records and statistics are data, and are in the crate `record`. This crate never prints, exits or reads the
//! terminal; the command line (`cli/`) does.

pub mod engine;
pub mod process;

pub mod arbiter;
pub mod game_table;
pub mod live_game;
pub mod play;
pub mod pool;
pub mod tournament;

pub mod analysis;
pub mod opening;
pub mod rules_program;

pub mod broadcast;
pub mod capacity;
pub mod host;
pub mod match_error;

pub mod date;
pub mod derived_file;
mod platform;
pub mod stop;
pub mod token_bucket;

#[cfg(test)]
extern crate self as referee;
#[cfg(test)]
#[path = "tests/nim_table.rs"]
mod nim_table;
#[cfg(test)]
#[path = "../../record/src/tests/testing.rs"]
#[allow(dead_code)]
mod record_testing;
#[cfg(test)]
#[path = "tests/testing.rs"]
mod testing;
