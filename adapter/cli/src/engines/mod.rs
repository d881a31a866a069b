//! Engines as the command line describes them.

pub(crate) mod list;
pub(crate) mod new;
pub(crate) mod table_path;
pub mod words;
