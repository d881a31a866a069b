//! The arguments of `table`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::values::{count, seed};

/// What to do with a table of perfect play.
#[derive(Debug, Subcommand)]
pub(crate) enum TablebaseCommand {
    /// Solve every position of a small board and write the table; the same command resumes a build that was stopped
    Build(BuildArgs),
    /// Compare the values of a table with those of the positions one move on, by the rules of the game
    Verify(VerifyArgs),
    /// Show what a table holds: positions won, lost and drawn, the longest win, the start's value
    Info(InfoArgs),
}

/// The arguments of `table build`.
#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// The game with its options, as in `gobblet` or `susan:Size=3`
    pub(crate) game: String,

    /// An option of the game, in place of those after its name
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) option: Vec<String>,

    /// Threads that solve; as many as there are CPUs if absent
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) threads: Option<usize>,

    /// The table; in `linesman/tables` in $XDG_DATA_HOME or ~/.local/share if absent
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Show what the build needs, and build nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The arguments of `table verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The table
    pub(crate) file: PathBuf,

    /// Verify so many positions, chosen at random; all if absent
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) sample: Option<usize>,

    /// Seed of the sample
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) srand: u64,

    /// Threads that verify; as many as there are CPUs if absent
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) threads: Option<usize>,
}

/// The arguments of `table info`.
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// The table
    pub(crate) file: PathBuf,

    /// Show one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
}
