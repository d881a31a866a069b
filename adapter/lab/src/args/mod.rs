//! The arguments of all commands. The doc comments are the help texts.

mod learning;
mod table;
mod tuning;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use linesman::args::{RulesContext, SolverArgs};
use linesman::args::{count, plies, seconds, seed, small};
use linesman::program::ManualCommand;

pub(crate) use learning::*;
pub(crate) use table::*;
pub(crate) use tuning::*;

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Fit the evaluation weights of a built-in engine to recorded games
    Tune(TuneArgs),
    /// Tune the spin options of any engine by matches against itself (SPSA)
    TuneOptions(Box<TuneOptionsArgs>),
    /// Let a built-in engine learn its evaluation from games against itself
    Learn(LearnArgs),
    /// Show the record of an engine that learns by playing (`linesman play --learn`), or train it
    Learner(LearnerArgs),
    /// Have an engine solve the positions of a suite, and show its score
    Solve(SolveArgs),
    /// Prove which moves of a position win, on small boards
    Prove(ProveArgs),
    /// Find positions with a forced win and a single winning move, in self-play games of the built-in engine
    Mine(MineArgs),
    /// Tables of perfect play for small boards: build, verify, describe
    #[command(subcommand)]
    Table(TableCommand),
    #[command(flatten)]
    Manual(ManualCommand),
}

impl Command {
    /// The arguments about the rules of a program.
    pub(crate) fn rules_context(&self) -> RulesContext<'_> {
        let mut context = RulesContext::default();
        if let Command::TuneOptions(args) = self {
            context.timeouts = args.timeouts;
        }
        context
    }
}

/// The arguments of `mine`.
#[derive(Debug, Args)]
pub(crate) struct MineArgs {
    /// The game with its options, as in `susan` or `susan:Size=4`
    pub(crate) game: String,

    /// Games to play
    #[arg(long, value_name = "N", default_value = "100", value_parser = count)]
    pub(crate) games: usize,

    /// Maximum number of positions, spread over the lengths found
    #[arg(long, value_name = "N", default_value = "20", value_parser = count)]
    pub(crate) count: usize,

    /// Seed of the games
    #[arg(long, alias = "srand", value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) seed: u64,

    /// One move in N is random
    #[arg(long, value_name = "N", default_value = "7", value_parser = small)]
    pub(crate) mistakes: u32,

    /// Maximum number of positions per proof
    #[arg(long, value_name = "N", default_value = "300000", value_parser = count)]
    pub(crate) nodes: usize,

    /// Length in plies of the shortest win to find
    #[arg(long, value_name = "N", default_value = "3", value_parser = small)]
    pub(crate) shortest: u32,

    /// Length in plies of the longest win to find
    #[arg(long, value_name = "N", default_value = "15", value_parser = small)]
    pub(crate) longest: u32,
}

/// The arguments of `prove`.
#[derive(Debug, Args)]
pub(crate) struct ProveArgs {
    /// The game with its options, as in `projex:Size=3,Swap=false`
    pub(crate) game: String,

    /// Moves from the start position; the moves of the resulting position are proved
    #[arg(value_name = "MOVE")]
    pub(crate) moves: Vec<String>,

    /// Look for wins within N plies
    #[arg(long, value_name = "N", default_value = "200", value_parser = plies)]
    pub(crate) plies: u32,

    /// Seconds for each move; unlimited if absent
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) st: Option<Duration>,

    /// Size of the position table, in MiB
    #[arg(long, value_name = "MIB", default_value = "256", value_parser = count)]
    pub(crate) hash: usize,

    /// Show one JSON object per move and one for the position, instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `solve`.
#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// A suite of positions with their best moves or proven values
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) solver: SolverArgs,

    /// Show one JSON object per position and one for the score, instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `tune`.
#[derive(Debug, Args)]
pub(crate) struct TuneArgs {
    /// Ledgers of one game, or PGN files of Linesman
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Number of passes over all positions
    #[arg(long, value_name = "N", default_value = "40", value_parser = count)]
    pub(crate) epochs: usize,

    /// Seed of the order of the positions
    #[arg(long, alias = "srand", value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) seed: u64,

    /// Start from zero weights instead of the engine's
    #[arg(long)]
    pub(crate) from_zero: bool,
}
