//! The board in a browser: a local server for tables, and the page that shows them.
//!
//! A page is a client of a [table](referee::table) as the console is. It sends messages over a WebSocket and gets the
//! table's events, and beside them the board as data, drawn by the game itself: the page knows no rule. `spec/browser.md`
//! documents the messages. The library prints nothing and names no game.
//!
//! Begin with [`Server::start`]. `server` holds the sockets and the runtime; it accepts, checks (`access`) and serves the
//! page (`assets`). Each WebSocket is a `connection`: it only moves texts between the socket and a `tab`, a thread that
//! does everything else, so nothing that draws or waits holds up the runtime. `lobby` holds the tables.

mod access;
mod assets;
mod connection;
mod games;
mod guest_address;
mod host;
mod limits;
mod lobby;
mod look;
mod reporter;
mod server;
mod tab;
mod watch;
mod wire;
mod workers;

pub use host::{Host, RecentGame, Wish};
pub use server::{Server, Settings, Start};
pub use watch::MatchSource;
pub use workers::{MatchWorker, WorkerList};
