//! A game that people and engines sit at: seats, the tree of moves, clocks, offers, a journal that outlives the process.
//!
//! A table is an actor: one thread owns the game. Clients (a console, a socket guest, a browser tab, a bridge) send it
//! [`Request`]s through a [`TableHandle`] and receive [`Event`](crate::event::Event)s, each on a bounded channel of its
//! own. A client holds no rule of the game: it translates text or JSON to requests and events to text or JSON.
//! Nothing here prints, or reads anything but files.

pub mod event;
pub mod handle;
pub mod request;
pub mod setup;
pub mod snapshot;

pub mod blunder;
pub mod email;
pub mod journal;
pub mod tree;
pub mod typing;

pub use event::TableEvent;
pub use handle::{Inbox, TableClient, TableClosed, TableHandle};
pub use request::{ClientId, Join, Request, RequestId, Role, SideSet, TableCommand};
pub use setup::TableSetup;
pub use snapshot::{ClientInfo, ClockInfo, Proposal, Proposed, SeatInfo, Sitter, Snapshot, Turn};
