//! The arguments of `tune-options`.

use std::path::PathBuf;

use clap::Args;

use super::values::{count, seed};
use super::{SearchTimeoutArgs, SyncArg, TimeoutArgs};

/// The arguments of `tune-options`.
#[derive(Debug, Args)]
pub(crate) struct TuneOptionsArgs {
    /// The game with its options, as in `susan` or `susan:Size=4`; stands before --engine and --each
    pub(crate) game: Option<String>,

    /// A spin option to tune: its value at the beginning, its bounds, and how far it is moved away from its value in the
    /// last iteration; repeatable
    #[arg(long, value_name = "NAME=START,MIN,MAX,STEP", required = true)]
    pub(crate) param: Vec<String>,

    /// The engine, in words as after `match --engine`; the built-in one if absent
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) engine: Option<Vec<String>>,

    /// Words for the engine that its own do not give, as in `match`
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) each: Vec<String>,

    /// Iterations, 1000 if absent
    #[arg(long, value_name = "N", value_parser = count, conflicts_with = "games")]
    pub(crate) iterations: Option<usize>,

    /// Games in all, instead of --iterations; the last iteration is played whole
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) games: Option<usize>,

    /// Pairs of games in an iteration; as many as --concurrency keeps busy if absent
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) pairs: Option<usize>,

    /// How far a game that one side wins more than the other moves a value in the last iteration, in steps; larger for
    /// short runs
    #[arg(long, value_name = "R", default_value = "0.002", value_parser = share)]
    pub(crate) rate: f64,

    /// How fast the moves of the values decrease: Spall's alpha
    #[arg(long, value_name = "X", default_value = "0.602", value_parser = share)]
    pub(crate) alpha: f64,

    /// How fast the perturbation decreases: Spall's gamma
    #[arg(long, value_name = "X", default_value = "0.101", value_parser = share)]
    pub(crate) gamma: f64,

    /// Keeps the first moves of the values small: Spall's A, as a share of the iterations
    #[arg(long, value_name = "X", default_value = "0.1", value_parser = share)]
    pub(crate) stability: f64,

    /// Games at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = count)]
    pub(crate) concurrency: usize,

    /// Openings, as in `match`; random:plies=2 if absent
    #[arg(long, value_name = "WORD", num_args = 1..)]
    pub(crate) openings: Vec<String>,

    /// Seed of the perturbations and the openings; random and shown if absent
    #[arg(long, value_name = "N", value_parser = seed)]
    pub(crate) srand: Option<u64>,

    /// Adjudicate a draw after N plies
    #[arg(long, value_name = "N", default_value = "2000", value_parser = count)]
    pub(crate) max_plies: usize,

    /// The state, one JSON object an iteration. The same command goes on with a file that it has begun
    #[arg(long, value_name = "FILE")]
    pub(crate) state: PathBuf,

    /// Show the values after every N iterations
    #[arg(long, value_name = "N", default_value = "10", value_parser = count)]
    pub(crate) interval: usize,

    /// Force the state to the disk after each iteration, so that it survives a power cut, or never
    #[arg(long, value_enum, default_value_t)]
    pub(crate) sync: SyncArg,

    #[command(flatten)]
    pub(crate) timeouts: TimeoutArgs,

    #[command(flatten)]
    pub(crate) search_timeout: SearchTimeoutArgs,
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f64| *number > 0.0 && *number <= 1.0);
    number.ok_or_else(|| "expected a number above 0, up to 1".to_owned())
}
