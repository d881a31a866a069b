//! `linesman play`: people at a table, by a terminal, a pipe, or a socket.
//!
//! The table is the library's [`table`](referee::table): it owns the game and its clocks, and decides who may do what. The
//! person who started the program and each guest are clients of it ([`client`]), with a [`screen`] of their own: a
//! terminal with line editing ([`editor`]), plain [`lines`], or a [`socket`]. `arguments`, `begin`, `resume` and `email`
//! make the table that the arguments ask for.

mod client;
mod frame;
mod help;
mod input;
mod joining;
mod rules;
mod screen;
pub(crate) mod style;
pub(crate) mod text;
mod word;

mod editor;
mod lines;
mod pasting;
pub(crate) mod socket;
mod terminal;

mod another;
pub(crate) mod arguments;
pub(crate) mod begin;
mod email;
mod host;
mod menu;
pub(crate) mod resume;
mod size;

pub(crate) use host::run;
