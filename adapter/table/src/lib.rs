//! A game that people and engines sit at: seats, the tree of moves, clocks, proposals, and a journal on disk.
//!
//! A table is an actor: one thread owns the game. Clients (console, socket guest, browser tab, bridge) send it
//! [`Request`]s through a [`TableHandle`] and receive [`TableEvent`]s, each on a separate bounded
//! channel. Clients contain no game logic: they translate text or JSON to requests, and events to text or JSON.
//! This module never prints, and reads only files. `spec/play.md` lists requests and events.
//!
//! Start with [`open`] and [`TableHandle::join`]. `state` holds the table's state; it never blocks and never reads the
//! clock. `run` is the thread that drives it, checks permissions and carries out requests; `view` is what clients are sent.

mod model;

pub mod level;
pub mod session;
pub mod setup;

mod error;
mod run;

mod start;
mod state;

mod consent;
mod games;
mod moves;
mod records;
mod seating;
mod seats;

mod analyst;
mod drive;
mod seat;
mod studies;
mod turn_timer;
mod view;

pub mod client_game;
pub mod journal;
pub mod paste;
pub mod strangers;
pub mod token;
pub mod typing;

#[cfg(test)]
#[path = "../../record/src/tests/testing.rs"]
#[allow(dead_code)]
mod record_testing;
#[cfg(test)]
mod tests;

pub use client_game::{ClientGame, TableSession};
pub use error::TableError;
pub use journal::new_id;
pub use level::LevelChoice;
pub use model::*;
pub use run::{OpenTable, open, resume};
pub use seat::is_unnamed;
pub use session::{Inbox, JoinWish, Request, SessionError, TableClient, TableHandle, Wanted};
pub use setup::{PausedTable, TableSetup, new_plan};
