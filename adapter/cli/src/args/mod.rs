//! The arguments of all commands. The doc comments are the help texts.
//!
//! Each module holds the arguments of a group of commands: `bridging` those of `bridge`, `matches` and `plan` those of `match`, `tables` those of `play` and
//! `gui`, `tools` those of the commands that read records or test an engine. `values` parses single values; `foreign`
//! rejects the flags of other match runners.

mod bridging;
mod common;
pub(crate) mod foreign;
pub(crate) mod keys;
mod matches;
mod plan;
mod tables;
mod tools;
pub mod values;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use crate::config::words::EngineLine;
use crate::manual::ManualCommand;
use crate::program::{self, Cli};
pub(crate) use bridging::*;
pub use common::*;
pub use matches::MatchArgs;
pub(crate) use matches::*;
pub(crate) use plan::*;
pub(crate) use tables::*;
pub(crate) use tools::*;

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a match between engines
    Match(Box<MatchArgs>),
    /// Play a game in the terminal, against an engine or another person
    Play(Box<PlayArgs>),
    /// Play, watch and study games in a browser
    Gui(GuiArgs),
    /// Test an engine: the protocol, its rules and its timing
    Check(CheckArgs),
    /// Run the built-in engine of a game on standard input and output
    Engine(EngineArgs),
    /// Write a folder with a small engine to begin with: it plays at random, and reads its input while it searches
    NewEngine(NewEngineArgs),
    /// Adapt an engine to a GUI of another protocol, which starts this command as its engine
    Bridge(BridgeArgs),
    /// List the engines of the engines file, and start each once
    Engines(EnginesArgs),
    /// Statistics of ledgers and PGN files: standings, Elo, ratings
    Stats(StatsArgs),
    /// Replay a recorded game, board by board
    Show(ShowArgs),
    /// Analyse a recorded game with an engine and show the loss of each move
    Analyse(AnalyseArgs),
    /// Solve puzzles: positions with a known best move
    Puzzle(PuzzleArgs),
    /// List the games and their options
    Games,
    #[command(flatten)]
    Manual(ManualCommand),
}

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

/// The whole command line.
pub(crate) fn command() -> clap::Command {
    let about = "Matches between engines of two-player games, and the engines themselves";
    program::with_others(Cli::<Command>::shapes("linesman", about))
}

impl RulesContext for Command {
    fn engines_file(&self) -> Option<&Path> {
        match self {
            Command::Match(args) => args.engines_file(),
            Command::Engines(args) => args.engines.as_deref(),
            _ => None,
        }
    }

    fn timeouts(&self) -> TimeoutArgs {
        match self {
            Command::Match(args) => args.timeouts(),
            Command::Check(args) => args.timeouts,
            Command::Engines(args) => args.timeouts,
            _ => TimeoutArgs::DEFAULT,
        }
    }

    fn records(&self) -> Option<&Path> {
        match self {
            Command::Show(args) => Some(&args.file),
            Command::Analyse(args) => Some(&args.file),
            Command::Stats(args) => args.files.first().map(PathBuf::as_path),
            Command::Play(args) => args.resume.as_ref()?.as_deref(),
            _ => None,
        }
    }

    fn engines(&self) -> &[EngineLine] {
        match self {
            Command::Match(args) => args.engines(),
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use record::ledger::SyncPolicy;

    use super::*;

    type Cli = program::Cli<Command>;

    #[test]
    fn the_shapes_are_sound() {
        command().debug_assert();
    }

    #[test]
    fn play_forces_its_ledger_to_the_disk_unless_told() {
        for (line, policy) in [
            ("linesman play susan", SyncPolicy::EachGame),
            ("linesman play susan --sync game", SyncPolicy::EachGame),
            ("linesman play susan --sync off", SyncPolicy::Off),
        ] {
            let Ok(cli) = Cli::try_parse_from(line.split(' ')) else {
                panic!("a sound command line: {line}");
            };
            let Command::Play(args) = cli.command else {
                panic!("a game");
            };
            assert_eq!(SyncPolicy::from(args.table.sync), policy);
        }
    }

    #[test]
    fn each_engine_has_its_own_words() {
        let line = "linesman match susan --engine cmd=a name=A --engine builtin --each st=1 --games 2 --each ponder";
        let Ok(cli) = Cli::try_parse_from(line.split(' ')) else {
            panic!("a sound command line");
        };
        let Command::Match(args) = cli.command else {
            panic!("a match");
        };
        let engines = args.plan.engine.0.iter().map(|engine| &engine.0);
        let engines: Vec<_> = engines.collect();
        assert_eq!(engines, [&["cmd=a", "name=A"][..], &["builtin"]]);
        assert_eq!(args.plan.each, ["st=1", "ponder"]);
        assert_eq!(args.plan.games, Some(2));
    }
}
