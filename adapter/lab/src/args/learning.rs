//! The arguments of `learn` and `learner`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use kit::search::MAX_LEVEL;

use linesman::args::{count, seed};

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
    #[arg(long, alias = "srand", value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) seed: u64,
}

/// The arguments of `learner`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct LearnerArgs {
    #[command(subcommand)]
    pub(crate) command: Option<LearnerCommand>,

    #[command(flatten)]
    pub(crate) record: LearnerRecordArgs,
}

/// The arguments of `learner` without a command.
#[derive(Debug, Args)]
pub(crate) struct LearnerRecordArgs {
    /// The file that `play --learn` or the option Learn named
    #[arg(required = true)]
    pub(crate) file: Option<PathBuf>,

    /// Games per column of the plot; chosen by the number of games if absent
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) every: Option<usize>,

    /// Also write the plot to this SVG file; an existing plot of Linesman is replaced, any other file is rejected
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

/// The commands of `learner`.
#[derive(Debug, Subcommand)]
pub(crate) enum LearnerCommand {
    /// Train it in games against the engine that does not learn; the file is written after each game
    Train(LearnerTrainArgs),
}

/// The arguments of `learner train`.
#[derive(Debug, Args)]
pub(crate) struct LearnerTrainArgs {
    /// The file; created if absent
    pub(crate) file: PathBuf,

    /// The game with its options; needed for a new file, otherwise that of the last game
    #[arg(long)]
    pub(crate) game: Option<String>,

    /// Number of games; Ctrl-C ends the training after the current one
    #[arg(long, value_name = "N", default_value = "1000", value_parser = count)]
    pub(crate) games: usize,

    /// Nodes per move of the engine that learns
    #[arg(long, value_name = "N", default_value = "500", value_parser = count)]
    pub(crate) nodes: usize,

    /// Skill level of its opponent
    #[arg(long, value_name = "LEVEL", default_value = "3", value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_LEVEL)))]
    pub(crate) level: u32,

    /// Seed of the games, together with their numbers
    #[arg(long, alias = "srand", value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) seed: u64,
}
