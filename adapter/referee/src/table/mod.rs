//! A game that people and engines sit at: seats, the tree of moves, clocks, offers, a journal that outlives the process.
//!
//! A table is an actor: one thread owns the game. Clients (a console, a socket guest, a browser tab, a bridge) send it
//! [`Request`]s through a [`TableHandle`] and receive [`Event`](crate::event::Event)s, each on a bounded channel of its
//! own. A client holds no rule of the game: it translates text or JSON to requests and events to text or JSON.
//! Nothing here prints, or reads anything but files. `spec/table.md` documents requests and events.
//!
//! Begin with [`open`] and [`TableHandle::join`]. `state` holds the table itself, which neither waits nor asks for the time;
//! `commands` says what each request does and who may make it; `run` is the thread around it.

pub mod event;
pub mod handle;
pub mod request;
pub mod seat_id;
pub mod setup;
pub mod snapshot;

mod error;
mod run;

mod state;

mod commands;
mod consent;
mod games;
mod lines;
mod moves;
mod pace;
mod partners;
mod paused;
mod post;
mod records;
mod review;
mod seat_change;
mod seating;
mod start;

mod analyst;
mod clients;
mod clock;
mod drive;
mod seat;
mod study;

pub mod blunder;
pub mod client_game;
pub mod email;
pub mod journal;
pub mod letter;
pub mod touch;
pub mod tree;
pub mod typing;

#[cfg(test)]
mod tests;

pub use client_game::ClientGame;
pub use error::TableError;
pub use event::{Analysis, TableEvent};
pub use games::new_id;
pub use handle::{Inbox, TableClient, TableClosed, TableHandle};
pub use paused::PausedTable;
pub use request::{ClientId, Join, Request, RequestId, Role, SideSet, TableCommand};
pub use run::{OpenTable, open, resume};
pub use seat_id::{SeatId, SideAuto};
pub use setup::TableSetup;
pub use snapshot::{
    ClientInfo, ClockInfo, PartnerInfo, Proposal, Proposed, SeatInfo, Sitter, Snapshot, Turn,
};
pub use start::is_unnamed;
pub use study::{AnalysedNode, ReviewedNode, RunningStudy, Studies, StudyKind};
