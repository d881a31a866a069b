//! The arguments of all commands. The doc comments are the help texts.
//!
//! `matches` holds those of `match`, `tables` those of `play` and `gui`, this module those of the other commands. `common`
//! also parses single values; `foreign` rejects the flags of other match runners.

mod common;
pub(crate) mod foreign;
pub(crate) mod keys;
mod matches;
mod tables;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

pub use common::*;
pub use matches::MatchArgs;
pub(crate) use matches::*;
pub(crate) use tables::*;

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
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
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

/// The arguments of `puzzle`.
#[derive(Debug, Args)]
pub(crate) struct PuzzleArgs {
    /// The game, as in `gobblet`; with options, as in `gobblet:Size=4`, only the puzzles for this board
    pub(crate) game: String,

    /// A suite of positions with their best moves; the built-in suite if absent
    pub(crate) file: Option<PathBuf>,

    /// Begin with the N-th puzzle
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) from: Option<usize>,

    /// Begin with a prompt for lines instead of the screen of keys
    #[arg(long)]
    pub(crate) lines: bool,

    /// Write ASCII only
    #[arg(long)]
    pub(crate) ascii: bool,

    #[command(flatten)]
    pub(crate) limit: LimitArgs,
}

/// The arguments of `analyse`.
#[derive(Debug, Args)]
pub(crate) struct AnalyseArgs {
    /// A ledger, or a PGN file of Linesman
    pub(crate) file: PathBuf,

    /// The number of the game
    #[arg(default_value = "1", value_parser = count)]
    pub(crate) game: usize,

    #[command(flatten)]
    pub(crate) solver: SolverArgs,

    /// Write the game to this new PGN file, with the analysis as comments
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,

    /// Write ASCII only
    #[arg(long)]
    pub(crate) ascii: bool,

    /// Show one JSON object per move instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The engine, in words as after `match --engine`: `cmd=PATH` with `arg=WORD` and `dir=PATH`, or `builtin`; then
    /// `proto=ugi|uci`, `timemargin=MS`, `option.NAME=VALUE`, `stderr=FILE`. Then the game, as in `susan` or
    /// `susan:Size=4`; if absent, `query game` names it; the rules are checked only for games that `linesman games` lists,
    /// and with --rules
    ///
    /// With `--rules` and no engine: checks the rules
    #[arg(value_name = "KEY=VALUE|GAME")]
    pub(crate) words: Vec<String>,

    /// Compare the engine with this one instead, in any game and without rules: the first position about which their
    /// answers differ
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., conflicts_with_all = ["only", "junit"])]
    pub(crate) against: Option<Vec<String>>,

    /// Random games whose positions are compared with the rules
    #[arg(long, value_name = "N", default_value = "20", value_parser = count)]
    pub(crate) games: usize,

    /// Seed of the random games; if absent, a random seed is chosen and shown
    #[arg(long, value_name = "N", value_parser = seed)]
    pub(crate) seed: Option<u64>,

    /// Run only this step; repeatable
    #[arg(long, value_name = "STEP")]
    pub(crate) only: Vec<String>,

    #[command(flatten)]
    pub(crate) timeouts: TimeoutArgs,

    /// Log each line from and to the engine to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Show reports, one JSON object per line, instead of text
    #[arg(long)]
    pub(crate) json: bool,

    /// Also write the reports as JUnit XML to this file; an existing report of this kind is replaced, any other file
    /// is rejected
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

/// The arguments of `stats`.
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// Ledgers or PGN files of Linesman; their games are pooled
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Judge the games by a sequential test: `elo0=X elo1=Y [alpha=0.05] [beta=0.05] [model=logistic|normalized]`; if
    /// absent, and only two players met, by the test of the first ledger that has one
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) sprt: Option<Vec<String>>,

    /// Also show the first player's score in each N games, in the order of the files, to see an engine's learning
    /// progress
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) every: Option<usize>,

    /// Show one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,

    /// Also write the report with its plots to this self-contained HTML file; an existing report of Linesman is
    /// replaced, any other file is rejected
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Also write the plots (Elo, sequential test, time, game lengths) to this SVG file; an existing file is treated
    /// as by --html
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

/// The arguments of `show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// A ledger, or a PGN file of Linesman
    pub(crate) file: PathBuf,

    /// The number of the game
    #[arg(default_value = "1", value_parser = count)]
    pub(crate) game: usize,

    /// At a terminal: one position at a time; Space or the arrow keys step forward and back, q quits
    #[arg(long, conflicts_with_all = ["svg", "moves"])]
    pub(crate) step: bool,

    /// Show the moves with their recorded details, without boards
    #[arg(long, conflicts_with = "svg")]
    pub(crate) moves: bool,

    /// Start with the position before move N
    #[arg(long, value_name = "N", value_parser = count, conflicts_with = "svg")]
    pub(crate) from: Option<usize>,

    /// Write ASCII only
    #[arg(long)]
    pub(crate) ascii: bool,

    /// Draw the last position to this SVG file; with `%d` in the name, one file per position, where `%d` is the ply. An
    /// existing drawing is replaced, any other file is rejected
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<String>,

    /// Draw the position after N plies
    #[arg(long, value_name = "N", requires = "svg")]
    pub(crate) ply: Option<usize>,
}

/// The arguments of `bridge`.
#[derive(Debug, Args)]
pub(crate) struct BridgeArgs {
    /// The protocol of the GUI
    pub(crate) protocol: BridgeProtocol,

    /// The game with its options, as in `susan` or `susan:Size=4`; with ugi, `any` for a game without rules
    pub(crate) game: String,

    /// The engine, in the words of `match --engine`; the built-in engine if absent. A limit given here replaces the
    /// GUI's; without any limit, a move takes one second
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) engine: Option<Vec<String>>,

    /// With cecp and gtp: print the command that starts XBoard or GoGui with this game and engine, and exit. The images
    /// of XBoard's pieces are written where that command expects them
    #[arg(long)]
    pub(crate) print_command: bool,

    /// With cecp: write the images of the pieces to this folder, and exit; `linesman/xboard` in $XDG_DATA_HOME or
    /// ~/.local/share if absent
    #[arg(long, value_name = "DIR")]
    pub(crate) pieces: Option<PathBuf>,

    /// Log each line from and to the GUI to this file, with its time; with ugi, also the lines from and to the engine
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// With ugi: show the lines of an engine of another protocol as `info string wire`, for the log of a match
    #[arg(long, hide = true)]
    pub(crate) wire: bool,

    #[command(flatten)]
    pub(crate) search_timeout: SearchTimeoutArgs,
}

/// The protocol of a GUI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BridgeProtocol {
    /// XBoard
    Cecp,
    /// GoGui
    Gtp,
    /// UGI or UCI: lines are forwarded, and translated if the engine speaks the other dialect or another protocol
    Ugi,
}
