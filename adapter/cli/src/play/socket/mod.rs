//! `--listen`: people on other machines join the table with nc or telnet.
//!
//! `address` parses the flag, `server` accepts connections, `join` parses the line with which a guest joins and checks
//! its password, and `connection` is the screen of a guest. What a stranger can use is limited: connections, guesses, the
//! time to join, and the bytes and lines of input.

pub(crate) mod address;
mod connection;
mod join;
mod server;

pub(crate) use join::Door;
pub(crate) use server::Server;
