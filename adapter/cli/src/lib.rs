//! `linesman`, the command line: arguments in, text out. And the library of the programs beside it, such as
//! `linesman-lab`.
//!
//! [`run`] reads the arguments, whose shapes are in [`args`], and calls the command. `play`, `gui` and `check`
//! hold one or two commands each, [`mod@matches`] those that play matches, [`records`] those that read their files,
//! [`analysis`] those that search, [`engines`] and `bridging` those about single engines.
//! [`config`] reads TOML files. The files outside the folders are used by many commands.
//!
//! Another program begins with [`program::run`], and [`manual::ManualCommand`] among its commands.
//! It takes games from [`GAMES`], [`rules::extend`] and [`game_name`], the words of an engine from [`config::read_words`],
//! arguments that commands share from [`args`], and ends in a [`usage::Failure`]. What it prints goes through [`output`].
//!
//! Only this crate and the programs print, exit or read the terminal.

pub mod analysis;
pub mod args;
mod bridging;
mod check;
pub mod config;
pub mod engines;
pub mod game_name;
mod games;
mod gui;
pub mod learner;
pub mod manual;
pub mod matches;
pub mod output;
pub mod paths;
pub mod platform;
mod play;
pub mod program;
pub mod records;
pub mod rules;
pub mod usage;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use args::{Command, EngineArgs, EngineTask};
use record::game_spec::GameSpec;
use record::registry::Registry;
use usage::{Failure, usage};

pub use games::GAMES;

/// Runs the command in the process's arguments with these games. Returns the exit status.
pub fn run(registry: Registry) -> ExitCode {
    program::run("linesman", |args| run_command(args, registry))
}

/// What `linesman` alone shows at a terminal. Each command can be typed as it is here.
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

fn run_command(args: Vec<OsString>, registry: Registry) -> Result<ExitCode, Failure> {
    if args.len() < 2 && io::stdin().is_terminal() && io::stdout().is_terminal() {
        return output::finish(WELCOME, false);
    }
    program::dispatch(&args)?;
    let gui = bridging::gui_protocol(&args);
    let read = || {
        let shapes = args::command();
        let (mut cli, found) = program::Cli::<Command>::read(args, &shapes)?;
        if let (Command::Match(args), Some(own)) =
            (&mut cli.command, found.subcommand_matches("match"))
        {
            config::complete(args, &mut cli.rules, own, &shapes)?;
            matches::host::heed_signals()?;
        }
        let registry = rules::extend(registry, cli.rules.rules.as_deref(), &cli.command)?;
        Ok((cli.command, registry))
    };
    let (command, registry) = bridging::shown_in_gui(gui, read())?;
    dispatch(command, registry)
}

/// What to do without a record.
const RECORDS: &str = "linesman match and linesman play write ledgers, and name them at the start";

fn dispatch(command: Command, registry: Registry) -> Result<ExitCode, Failure> {
    match command {
        Command::Match(args) => matches::run(&args, registry, None),
        Command::Play(args) => play::run(&args, registry),
        Command::Gui(args) => gui::run(&args, registry),
        Command::Check(args) => check::run(&args, registry),
        Command::Engine(args) => engine(&args, registry),
        Command::NewEngine(args) => engines::new::run(&args, registry),
        Command::Bridge(args) => bridging::run(&args, registry),
        Command::Engines(args) => engines::list::run(&args, registry),
        Command::Stats(args) => records::stats::run(&args, registry)
            .map_err(|why| why.or_absent(&args.files[0], RECORDS)),
        Command::Show(args) => {
            records::show::run(&args, registry).map_err(|why| why.or_absent(&args.file, RECORDS))
        }
        Command::Analyse(args) => analysis::analyse::run(&args, registry)
            .map_err(|why| why.or_absent(&args.file, RECORDS)),
        Command::Puzzle(args) => analysis::puzzle::run(&args, registry),
        Command::Games => list_games(registry),
        Command::Manual(command) => command.run(args::command()),
    }
}

fn engine(args: &EngineArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let game = match args.task {
        None => game_name::parse_game(&args.game, registry)?,
        // The bench defines its boards itself.
        Some(EngineTask::Bench) => {
            GameSpec::new(game_name::parse_entry(&args.game, registry)?.name, [])
        }
    };
    let rules = game_name::rules(registry, &game)?;
    let entry = rules.entry();
    let status = match args.task {
        None if entry.is_of_program() => return bridging::tree_engine(rules, registry),
        None => entry.source.serve(rules.options(), entry.about()),
        Some(EngineTask::Bench) => entry.source.bench(),
    };
    let none = || {
        usage(
            "GAME",
            format!(
                "{} has no such command: name a game that is built in",
                entry.name
            ),
        )
    };
    status.ok_or_else(none)
}

fn list_games(registry: Registry) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    for entry in registry.games() {
        let text = records::render::game(entry);
        writeln!(out, "{}", output::printable(&text)).map_err(Failure::Output)?;
    }
    Ok(ExitCode::SUCCESS)
}
