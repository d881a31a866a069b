//! Records of games: read, shown, counted, and kept apart from the files of others.

pub(crate) mod new_files;
pub mod own_file;
pub(crate) mod parts;
pub mod render;
pub(crate) mod show;
pub mod source;
pub(crate) mod stats;
pub(crate) mod text_report;
pub(crate) mod trust;
pub(crate) mod user_state;
