//! `--listen`: people on other machines come to the table with nc or telnet.
//!
//! `address` reads the flag, `server` takes connections, `join` reads the line by which a guest joins, `guest` is one
//! guest. What a guest can cost is bounded: `rate` limits what he sends, `connection` how long he may take to read.

pub(crate) mod address;
mod connection;
mod guest;
mod join;
mod rate;
mod server;
mod telnet;

pub(crate) use server::{Lobby, Server, make_password};
