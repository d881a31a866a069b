//! The arguments of `learn`.

use std::path::PathBuf;

use clap::Args;

use super::values::{count, seed};

/// The arguments of `learn`.
#[derive(Debug, Args)]
pub(crate) struct LearnArgs {
    /// The game with its options, as in `susan` or `susan:Size=4`
    pub(crate) game: String,

    /// The folder for games and weights; the same command resumes a stopped run
    pub(crate) folder: PathBuf,

    /// Number of rounds, each with games, training and a match against the previous weights
    #[arg(long, value_name = "N", default_value = "4", value_parser = count)]
    pub(crate) rounds: usize,

    /// Self-play games per round
    #[arg(long, value_name = "N", default_value = "20000", value_parser = count)]
    pub(crate) games: usize,

    /// Nodes per move in these games and in the matches
    #[arg(long, value_name = "N", default_value = "1000", value_parser = count)]
    pub(crate) nodes: usize,

    /// Training passes per round over all positions of the last rounds
    #[arg(long, value_name = "N", default_value = "4", value_parser = count)]
    pub(crate) epochs: usize,

    /// Games of the match against the previous weights
    #[arg(long, value_name = "N", default_value = "400", value_parser = count)]
    pub(crate) match_games: usize,

    /// Start with untrained weights instead of the engine's
    #[arg(long)]
    pub(crate) from_zero: bool,

    /// Number of playing threads; the number of CPUs if absent
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) threads: Option<usize>,

    /// Seed of the games and the training
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) srand: u64,
}
