//! The arguments of `table`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use linesman::args::{count, seed};

/// The subcommands of `table`.
#[derive(Debug, Subcommand)]
pub(crate) enum TableCommand {
    /// Solve every position of a small board and write the table
    Build(BuildArgs),
    /// Compare the values of a table with the values after each move, by the rules of the game
    Verify(VerifyArgs),
    /// Show the contents of a table: positions won, lost and drawn, the longest win, the value of the start position
    Info(InfoArgs),
    /// Write random positions of a table with their values, a third of them won, lost and drawn each, as a suite for `solve`
    Sample(SampleArgs),
}

/// The arguments of `table build`.
#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// The game with its options, as in `gobblet` or `susan:Size=3`
    pub(crate) game: String,

    /// An option of the game, which overrides those after its name
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) option: Vec<String>,

    /// Number of solving threads; the number of CPUs if absent
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) threads: Option<usize>,

    /// The table's file; a file in `linesman/tables` in $XDG_DATA_HOME or ~/.local/share if absent
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Show the number of positions, the memory needed and the table's file, without building
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The arguments of `table verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The table
    pub(crate) file: PathBuf,

    /// Verify this many positions, chosen at random; all if absent
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) sample: Option<usize>,

    /// Seed of the sample
    #[arg(long, alias = "srand", value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) seed: u64,

    /// Number of verifying threads; the number of CPUs if absent
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

/// The arguments of `table sample`.
#[derive(Debug, Args)]
pub(crate) struct SampleArgs {
    /// The table
    pub(crate) file: PathBuf,

    /// Number of positions
    #[arg(long, value_name = "N", default_value = "300", value_parser = count)]
    pub(crate) count: usize,

    /// Seed of the choice
    #[arg(long, alias = "srand", value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) seed: u64,
}
