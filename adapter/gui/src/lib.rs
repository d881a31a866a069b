//! The browser interface: a local server for tables, and the page that shows them.
//!
//! A page is a client of a [table], like the console. It sends messages over a WebSocket and receives
//! the table's events, together with the board as data drawn by the game itself, so the page contains no rules.
//! `spec/play.md` documents the messages. The library prints nothing and names no game.
//!
//! Begin with [`Server::start`]. `server` holds the sockets and the runtime; it accepts and checks requests (`door`)
//! and serves the page (`assets`). Each WebSocket has a `connection`, which only moves texts between the socket and a
//! `tab`. A tab is a thread that does all the other work, so that drawing and waiting do not block the runtime; `ask` has
//! what a table does not answer. `lobby` holds the tables.

mod ask;
mod assets;
mod connection;
mod door;
mod exercise;
mod games;
mod host;
mod limits;
mod lobby;
mod reporter;
mod server;
mod server_state;
mod tab;
#[cfg(feature = "tls")]
mod tls;
#[cfg(not(feature = "tls"))]
#[path = "no_tls.rs"]
mod tls;
mod view_state;

#[cfg(feature = "schema")]
pub use connection::page_schema;
pub use door::Origin;
pub use exercise::Puzzle;
pub use host::{GuestLink, Host, RecentGame, RecentMatch, Settings, Wish};
pub use reporter::MatchSource;
pub use server::Server;
