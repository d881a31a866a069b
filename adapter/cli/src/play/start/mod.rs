//! The table that the arguments ask for: a new one, one that is resumed, or that of an e-mail.

pub(crate) mod arguments;
mod begin;
pub(crate) mod begun;
pub(crate) mod email;
pub(crate) mod ledgers;
mod menu;
mod new_table;
mod resume;
mod size;

pub(crate) use begin::begin;
