//! The program that runs matches and tables.

use std::path::PathBuf;

use record::registry::Registry;

use crate::stop::Stop;

/// The program's context for running matches.
#[derive(Debug, Clone)]
pub struct Host {
    /// The known games.
    pub registry: Registry,
    /// The executable that runs a built-in engine when started with `engine GAME`.
    pub executable: PathBuf,
    /// Used to stop the match early.
    pub stop: Stop,
}
