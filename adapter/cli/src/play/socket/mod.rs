//! `--listen`: people on other machines join the table with nc or telnet.
//!
//! `address` parses the flag, `server` accepts connections, `join` parses the line with which a guest joins, `room`
//! has the tables, `guest` is the dialogue with a guest. The resources that a guest can use are limited: `rate` limits the input, and `connection`
//! the time to send a text.

pub(crate) mod address;
mod connection;
mod guest;
mod join;
mod rate;
mod room;
mod server;
mod telnet;

pub(crate) use room::Room;
pub(crate) use server::{GuestSecrets, Lobby, Server};
