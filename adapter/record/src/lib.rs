//! Matches and games as data: plans, events, ledgers, PGN, EPD, statistics.
//!
//! A [`plan::Plan`] describes a match, [`event::Event`]s report it, and a [`game::GameRecord`] is a finished game.
//! [`ledger`] stores plans and games on disk, [`pgn`] writes games for other programs, and [`stats`] computes the numbers
//! of a match. This crate starts no process and no thread, and runs no clock; the crate `referee` does. Start with [`plan`]
//! and [`game`].

pub mod engine_spec;
pub mod format;
pub mod game_spec;
pub mod plan;

pub mod adjudication;
pub mod clock;
pub mod digest;
pub mod opening;
pub mod outputs;
pub mod registry;
pub mod schedule;

pub mod event;
pub mod game;

pub mod file;
pub mod ledger;
pub mod pgn;

pub mod stats;

mod text_serde;

/// Returns an error with this text unless the condition holds.
macro_rules! ensure {
    ($holds:expr, $($why:tt)*) => {
        if !$holds {
            return Err(format!($($why)*));
        }
    };
}

use ensure;

#[cfg(test)]
extern crate self as record;
#[cfg(test)]
#[path = "tests/testing.rs"]
mod testing;
