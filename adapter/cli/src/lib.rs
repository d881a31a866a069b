//! `linesman`, the command line: arguments in, text out. And the library of the other programs, such as
//! `linesman-lab`.
//!
//! [`run`] reads the arguments, whose shapes are in [`args`], and calls the command. `play`, `gui` and `check`
//! hold one or two commands each, [`mod@matches`] those that play matches, [`records`] those that read their files,
//! [`analysis`] those that search, [`engines`] and `bridging` those about single engines.
//! [`config`] reads TOML files. The files outside the folders are used by many commands.
//!
//! Another program begins with [`program::run`], and [`program::ManualCommand`] among its commands.
//! It takes games from [`GAMES`], [`rules::extend`] and [`game_name`], the words of an engine from [`config::read_words`],
//! arguments that commands share from [`args`], and ends in a [`usage::Failure`]. What it prints goes through [`output`].
//!
//! Only this crate and the programs print, exit or read the terminal.

/// Commands that have an engine or a solver look at positions.
pub mod analysis {
    pub mod analyse;
    pub(crate) mod move_review;
    pub(crate) mod puzzle;
}
pub mod args;
mod bridging;
mod check;
pub mod config;
pub mod date;
/// Engines as the command line describes them.
pub mod engines {
    pub(crate) mod list;
    pub(crate) mod new;
    pub mod words;
}
pub mod game_name;
mod games;
mod gui;
pub mod learner;
pub mod matches;
pub mod output;
pub mod paths;
pub mod platform;
mod play;
pub mod program;
/// Records of games: read, shown, counted, and kept apart from the files of others.
pub mod records {
    pub mod files;
    pub mod render;
    pub(crate) mod show;
    pub mod source;
    pub(crate) mod stats;
    pub(crate) mod trust;
}
pub mod rules;
pub mod usage;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use args::{
    AnalyseArgs, BridgeArgs, CheckArgs, EngineArgs, EngineTask, EnginesArgs, GuiArgs, MatchArgs,
    NewEngineArgs, PlayArgs, PuzzleArgs, RulesContext, ShowArgs, StatsArgs,
};
use clap::Subcommand;
use program::{Cli, ManualCommand};
use record::game_spec::GameSpec;
use record::registry::Registry;
use usage::{Done, OrFail};

pub use games::GAMES;

/// Runs the command in the process's arguments with these games. Returns the exit status.
pub fn run(registry: Registry) -> ExitCode {
    program::run("linesman", |args| run_command(args, registry))
}

/// The commands.
#[derive(Debug, Subcommand)]
enum Command {
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

/// The whole command line.
fn command() -> clap::Command {
    let about = "Matches between engines of two-player games, and the engines themselves";
    program::with_others(Cli::<Command>::shapes("linesman", about))
}

impl Command {
    /// The arguments about the rules of a program.
    fn rules_context(&self) -> RulesContext<'_> {
        let mut context = RulesContext::default();
        match self {
            Command::Match(args) => return args.rules_context(),
            Command::Check(args) => context.timeouts = args.timeouts,
            Command::Engines(args) => {
                context.timeouts = args.timeouts;
                context.engines_file = args.engines.as_deref();
            }
            Command::Show(args) => context.records = Some(&args.file),
            Command::Analyse(args) => context.records = Some(&args.file),
            Command::Stats(args) => context.records = args.files.first().map(PathBuf::as_path),
            Command::Play(args) => {
                context.records = args.resume.iter().flatten().next().map(PathBuf::as_path)
            }
            _ => {}
        }
        context
    }
}

/// The text of `linesman` alone at a terminal. Each command can be typed as it is here.
const WELCOME: &str = "\
Linesman: five board games, engines for them, and matches between engines.

Watch a match of two engines:
  linesman match susan
Play against an engine:
  linesman play susan
Open the boards in a browser:
  linesman gui --open
Test an engine, here the built-in one:
  linesman check builtin susan

linesman games lists the games, linesman --help all commands.";

fn run_command(args: Vec<OsString>, registry: Registry) -> Done<ExitCode> {
    if args.len() < 2 && io::stdin().is_terminal() && io::stdout().is_terminal() {
        return output::finish(WELCOME, false);
    }
    program::dispatch(&args)?;
    let gui = bridging::gui_protocol(&args);
    let read = || {
        let (mut cli, found) = Cli::<Command>::read(args, command())?;
        if let (Command::Match(args), Some(own)) =
            (&mut cli.command, found.subcommand_matches("match"))
        {
            config::complete(args, &mut cli.rules, own, command)?;
            matches::heed_signals()?;
        }
        let registry = rules::extend(
            registry,
            cli.rules.rules.as_deref(),
            cli.command.rules_context(),
        )?;
        Ok((cli.command, registry))
    };
    let (command, registry) = bridging::shown_in_gui(gui, read())?;
    dispatch(command, registry)
}

/// Says what to do if the file of a record does not exist.
fn of_record(path: &Path, run: Done<ExitCode>) -> Done<ExitCode> {
    let advice = "linesman match and linesman play write ledgers, and name them at the start";
    run.map_err(|why| why.or_absent(path, advice))
}

fn dispatch(command: Command, registry: Registry) -> Done<ExitCode> {
    match command {
        Command::Match(args) => matches::run(&args, registry, None),
        Command::Play(args) => play::run(&args, registry),
        Command::Gui(args) => gui::run(&args, registry),
        Command::Check(args) => check::run(&args, registry),
        Command::Engine(args) => engine(&args, registry),
        Command::NewEngine(args) => engines::new::run(&args, registry),
        Command::Bridge(args) => bridging::run(&args, registry),
        Command::Engines(args) => engines::list::run(&args, registry),
        Command::Stats(args) => of_record(&args.files[0], records::stats::run(&args, registry)),
        Command::Show(args) => of_record(&args.file, records::show::run(&args, registry)),
        Command::Analyse(args) => of_record(&args.file, analysis::analyse::run(&args, registry)),
        Command::Puzzle(args) => play::run(&analysis::puzzle::table(&args, registry)?, registry),
        Command::Games => list_games(registry),
        Command::Manual(command) => command.run(crate::command()),
    }
}

fn engine(args: &EngineArgs, registry: Registry) -> Done<ExitCode> {
    let game = match args.task {
        None => game_name::parse_game(&args.game, registry)?,
        // The bench defines its boards itself.
        Some(EngineTask::Bench) => {
            GameSpec::new(game_name::parse_entry(&args.game, registry)?.name, [])
        }
    };
    let rules = game_name::rules(registry, &game)?;
    let entry = rules.entry();
    let none = || format!("{} has no bench: name a game that is built in", entry.name);
    match args.task {
        None => Ok(entry.serve(rules.options())),
        Some(EngineTask::Bench) => entry.bench().ok_or_else(none).or_usage("GAME"),
    }
}

fn list_games(registry: Registry) -> Done<ExitCode> {
    for entry in registry.games() {
        output::say(&records::render::game(entry))?;
    }
    Ok(ExitCode::SUCCESS)
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
            assert_eq!(args.table.sync, policy);
        }
    }

    #[test]
    fn each_engine_has_its_own_words() {
        let line = "linesman match susan --engine cmd=a name=A --engine builtin --each st=1 --games 2 --each ponder";
        let words = line.split(' ').map(Into::into);
        let Ok((mut cli, found)) = Cli::read(words.collect(), command()) else {
            panic!("a sound command line");
        };
        let Command::Match(args) = &mut cli.command else {
            panic!("a match");
        };
        let found = found.subcommand_matches("match").expect("a match");
        config::complete(args, &mut cli.rules, found, command).expect("no file is named");
        let engines = args.plan.engine.iter().map(|engine| &engine.0);
        let engines: Vec<_> = engines.collect();
        assert_eq!(engines, [&["cmd=a", "name=A"][..], &["builtin"]]);
        assert_eq!(args.plan.each, ["st=1", "ponder"]);
        assert_eq!(args.plan.games, Some(2));
    }
}
