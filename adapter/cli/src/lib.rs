//! `linesman`, the command line: arguments in, text out.
//!
//! Only this crate prints, exits or reads the terminal. `args` holds the arguments of all commands, `plan` and
//! `words` check their values, and each command has a module, such as `match_`, `play` or `tablebase`. `render` and
//! `text_report` format text; `live` shows the progress of a match.

mod analyse;
mod args;
mod bridge;
mod check;
mod config;
mod cutechess;
mod engines;
#[cfg(feature = "fleet")]
mod fleet;
mod folders;
mod game_name;
mod games;
#[cfg(feature = "gui")]
mod gui;
mod keyboard;
mod keys;
mod learn;
mod live;
mod long_work;
#[cfg(feature = "mail")]
mod mail;
mod manual;
mod match_;
mod match_page;
mod match_place;
mod merge;
mod mine;
mod openings;
mod output;
mod own_file;
mod plan;
mod platform;
mod play;
mod prove;
mod puzzle;
mod records;
mod render;
mod resume;
mod show;
mod solve;
mod source;
mod stats;
mod tablebase;
mod teams;
mod text_report;
mod trust;
mod tune;
mod tune_options;
mod usage;
mod words;
mod xboard;

use std::io::{self, Write};
use std::process::ExitCode;

use referee::registry::Registry;

use args::{Command, EngineArgs, EngineTask};
use usage::Failure;

pub use games::GAMES;

/// Runs the command in the process's arguments with these games. Returns the exit status.
pub fn run(registry: Registry) -> ExitCode {
    let result = match args::read() {
        Ok(Command::Match(args)) => match_::run(&args, registry),
        Ok(Command::Play(args)) => play::run(&args, registry),
        #[cfg(feature = "gui")]
        Ok(Command::Gui(args)) => gui::run(&args, registry),
        #[cfg(feature = "mail")]
        Ok(Command::Mail(args)) => mail::run(&args, registry),
        #[cfg(feature = "mail")]
        Ok(Command::Club(args)) => mail::club(&args, registry),
        Ok(Command::Check(args)) => check::run(&args, registry),
        Ok(Command::Engine(args)) => engine(&args, registry),
        Ok(Command::Bridge(args)) => bridge::run(&args, registry),
        Ok(Command::Engines(args)) => engines::run(&args, registry),
        Ok(Command::Stats(args)) => stats::run(&args),
        Ok(Command::Merge(args)) => merge::run(&args),
        #[cfg(feature = "fleet")]
        Ok(Command::Worker(args)) => fleet::work(&args, registry),
        #[cfg(feature = "fleet")]
        Ok(Command::Fleet(args)) => fleet::tool(&args),
        Ok(Command::Show(args)) => show::run(&args, registry),
        Ok(Command::Analyse(args)) => analyse::run(&args, registry),
        Ok(Command::Tune(args)) => tune::run(&args, registry),
        Ok(Command::Learn(args)) => learn::run(&args, registry),
        Ok(Command::TuneOptions(args)) => tune_options::run(&args, registry),
        Ok(Command::Solve(args)) => solve::run(&args, registry),
        Ok(Command::Puzzle(args)) => puzzle::run(&args, registry),
        Ok(Command::Prove(args)) => prove::run(&args, registry),
        Ok(Command::Mine(args)) => mine::run(&args, registry),
        Ok(Command::Table(command)) => tablebase::run(&command, registry),
        Ok(Command::Games) => list_games(registry),
        Ok(Command::Completions(args)) => manual::completions(&args),
        Ok(Command::Man(args)) => manual::man(&args),
        Err(failure) => Err(failure),
    };
    result.unwrap_or_else(|failure| failure.report())
}

fn engine(args: &EngineArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let entry = game_name::parse_entry(&args.game, registry)?;
    Ok(match args.task {
        None => (entry.serve)(),
        Some(EngineTask::Bench) => (entry.bench)(),
    })
}

fn list_games(registry: Registry) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    for entry in registry.games() {
        writeln!(out, "{}", render::game(entry)).map_err(Failure::Output)?;
    }
    Ok(ExitCode::SUCCESS)
}
