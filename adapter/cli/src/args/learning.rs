//! The arguments of `learn`.

use std::path::PathBuf;

use clap::Args;

use super::values::{count, seed};

/// The arguments of `learn`.
#[derive(Debug, Args)]
pub(crate) struct LearnArgs {
    /// The game with its options, as in `susan` or `susan:Size=4`
    pub(crate) game: String,

    /// The folder for games and weights; the same command goes on where it was stopped
    pub(crate) folder: PathBuf,

    /// Rounds of games, training and a match against the weights before
    #[arg(long, value_name = "N", default_value = "4", value_parser = count)]
    pub(crate) rounds: usize,

    /// Games of the engine against itself in a round
    #[arg(long, value_name = "N", default_value = "20000", value_parser = count)]
    pub(crate) games: usize,

    /// Nodes a move, in these games and in the matches
    #[arg(long, value_name = "N", default_value = "1000", value_parser = count)]
    pub(crate) nodes: usize,

    /// Passes over all positions of the last rounds in the training of a round
    #[arg(long, value_name = "N", default_value = "4", value_parser = count)]
    pub(crate) epochs: usize,

    /// Games of the match against the weights before
    #[arg(long, value_name = "N", default_value = "400", value_parser = count)]
    pub(crate) match_games: usize,

    /// Begin with weights that know nothing, not with the engine's
    #[arg(long)]
    pub(crate) from_zero: bool,

    /// Threads that play; as many as there are CPUs if absent
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) threads: Option<usize>,

    /// Seed of games and training
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) srand: u64,
}
