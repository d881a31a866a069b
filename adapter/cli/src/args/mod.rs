//! The arguments of all commands. The doc comments are the help texts.
//!
//! Each module holds the arguments of a group of commands: `matches` those of `match`, `tables` those of `play` and
//! `gui`, `tools` those of the commands that read records or start an engine. `common` also parses single values; `foreign`
//! rejects the flags of other match runners.

mod common;
pub(crate) mod foreign;
pub(crate) mod keys;
mod matches;
mod tables;
mod tools;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

pub use common::*;
pub use matches::MatchArgs;
pub(crate) use matches::*;
pub(crate) use tables::*;
pub(crate) use tools::*;

/// The arguments of `engine`.
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The game, as `linesman games` lists it; options such as gobblet:Size=4 are the engine's defaults
    pub(crate) game: String,

    /// Run this command instead of the protocol
    pub(crate) task: Option<EngineTask>,
}

/// The arguments of `new-engine`.
#[derive(Debug, Args)]
pub(crate) struct NewEngineArgs {
    /// The game, as `linesman games` lists it; `any` writes an engine that contains the rules of Sticks
    pub(crate) game: String,

    /// The language
    #[arg(long)]
    pub(crate) lang: Language,

    /// The folder, which must be new or empty; GAME-LANG if absent
    #[arg(value_name = "FOLDER", conflicts_with = "out")]
    pub(crate) folder: Option<PathBuf>,

    /// The folder too
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// The languages of `new-engine`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    Python,
    Javascript,
    C,
    Cpp,
    Go,
    Rust,
}

/// The arguments of `engines`.
#[derive(Debug, Args)]
pub(crate) struct EnginesArgs {
    /// The game of the built-in engines in the file; any game if absent
    pub(crate) game: Option<String>,

    /// The engines file; `linesman/engines.toml` in $XDG_CONFIG_HOME or ~/.config if absent
    #[arg(long, value_name = "FILE")]
    pub(crate) engines: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) timeouts: TimeoutArgs,

    /// Show one JSON object per engine instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// The commands of an engine other than its protocol.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum EngineTask {
    /// Search fixed positions to a fixed depth; show the node count, the search's fingerprint, and nodes per second
    Bench,
}
