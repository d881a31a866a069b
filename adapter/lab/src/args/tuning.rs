//! The arguments of `tune-options`.

use std::path::PathBuf;

use clap::Args;

use linesman::args::{SearchTimeoutArgs, TimeoutArgs, sync_policy};
use linesman::args::{count, seed};
use record::ledger::SyncPolicy;

/// The arguments of `tune-options`.
#[derive(Debug, Args)]
pub(crate) struct TuneOptionsArgs {
    /// The game with its options, as in `susan` or `susan:Size=4`; before --engine and --each
    pub(crate) game: Option<String>,

    /// A spin option to tune: its initial value, its bounds, and its perturbation in the last iteration; repeatable
    #[arg(long, value_name = "NAME=START,MIN,MAX,STEP", required = true)]
    pub(crate) param: Vec<String>,

    /// The engine, in words as after `match --engine`; the built-in one if absent
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) engine: Option<Vec<String>>,

    /// Words for the engine, as in `match`; the words of --engine override them
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) each: Vec<String>,

    /// Number of iterations, 1000 if absent
    #[arg(long, value_name = "N", value_parser = count, conflicts_with = "games")]
    pub(crate) iterations: Option<usize>,

    /// Total number of games, instead of --iterations; the last iteration is completed
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) games: Option<usize>,

    /// Pairs of games per iteration; if absent, the number that keeps --concurrency busy
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) pairs: Option<usize>,

    /// Change of a value in the last iteration, in steps, for each game that one side wins more than the other;
    /// larger for short runs
    #[arg(long, value_name = "R", default_value = "0.002", value_parser = share)]
    pub(crate) rate: f64,

    /// Number of simultaneous games
    #[arg(long, value_name = "N", default_value = "1", value_parser = count)]
    pub(crate) concurrency: usize,

    /// Openings, as in `match`; random:plies=2 if absent
    #[arg(long, value_name = "WORD", num_args = 1..)]
    pub(crate) openings: Vec<String>,

    /// Seed of the perturbations, the openings, and engines below full strength; if absent, a random seed is chosen and shown
    #[arg(long, alias = "srand", value_name = "N", value_parser = seed)]
    pub(crate) seed: Option<u64>,

    /// Adjudicate a draw after N plies
    #[arg(long, value_name = "N", default_value = "2000", value_parser = count)]
    pub(crate) max_plies: usize,

    /// The file of the tuning state, one JSON object per iteration. The same command resumes with an existing file
    #[arg(long, value_name = "FILE")]
    pub(crate) state: PathBuf,

    /// Show the values after every N iterations
    #[arg(long, value_name = "N", default_value = "10", value_parser = count)]
    pub(crate) interval: usize,

    /// Force the state to the disk after each iteration, so that it survives a power failure, or never
    #[arg(long, hide_short_help = true, default_value = "game", value_parser = sync_policy())]
    pub(crate) sync: SyncPolicy,

    #[command(flatten)]
    pub(crate) timeouts: TimeoutArgs,

    #[command(flatten)]
    pub(crate) search_timeout: SearchTimeoutArgs,
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f64| *number > 0.0 && *number <= 1.0);
    number.ok_or_else(|| "write a number above 0, up to 1".to_owned())
}
