//! `linesman play`: people at a table, at a terminal, a pipe or a socket.
//!
//! The table is the library `table`: it manages the game and its clocks, and decides which requests
//! are allowed. The person who started the program and each guest are clients of it ([`client`]). Each client has a
//! separate [`screen`]: a [terminal](crate::platform::terminal) that passes on each key, plain [`lines`], or a [`socket`].
//! [`start`] opens the table that the arguments describe.

mod client;
mod help;
pub(crate) mod line;
pub(crate) mod ratings;
pub(crate) mod screen;
pub(crate) mod style;
pub(crate) mod text;
mod words;

mod lines;
pub(crate) mod socket;

mod another;
mod host;
pub(crate) mod start;

pub(crate) use host::run;
