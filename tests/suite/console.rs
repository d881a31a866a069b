//! `linesman play`: people at a pseudo-terminal, a pipe and a socket.

mod another;
mod choice;
mod ending;
mod guest;
mod keys;
mod newcomer;
mod partners;
mod paste;
mod pipe;
pub(crate) mod pty;
mod records;
mod screen;
mod socket;
mod terminal;
mod trust;
mod virtual_screen;
mod words;

pub(crate) use pty::Terminal;
