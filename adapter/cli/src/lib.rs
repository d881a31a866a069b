//! `linesman`, the command line: arguments in, text out.
//!
//! Only this crate prints, exits or reads the terminal. [`run`] reads the arguments, whose shapes are in `args`, and calls
//! the command. `play`, `gui`, `mail`, `check` and `fleet` hold one or two commands each, `matches` those that play
//! matches, `records` those that read their files, `analysis` and `training` those that search and learn, `engines` and
//! `bridging` those about single engines. `config` reads TOML files. The files outside the folders are used by many commands.

mod analysis;
mod args;
mod bridging;
mod check;
mod config;
mod engines;
#[cfg(feature = "fleet")]
mod fleet;
#[cfg(not(feature = "fleet"))]
#[path = "no_fleet.rs"]
mod fleet;
mod game_name;
mod games;
mod gui;
mod keyboard;
mod long_work;
mod mail;
mod manual;
mod matches;
mod output;
mod paths;
mod platform;
mod play;
mod records;
mod training;
mod usage;

#[cfg(test)]
#[path = "../../record/src/testing.rs"]
#[allow(dead_code)]
mod record_testing;

use std::io::{self, Write};
use std::process::ExitCode;

use args::{Command, EngineArgs, EngineTask};
use record::registry::Registry;
use tools::tablebase::TableBuilder;
use usage::Failure;

pub use games::{GAMES, TABLES};

/// Runs the command in the process's arguments with these games. Returns the exit status.
pub fn run(registry: Registry, tables: &[TableBuilder]) -> ExitCode {
    let result = match args::read() {
        Ok(Command::Match(args)) => matches::run(&args, registry),
        Ok(Command::Play(args)) => play::run(&args, registry),
        Ok(Command::Gui(args)) => gui::run(&args, registry),
        Ok(Command::Mail(args)) => mail::run(&args, registry),
        Ok(Command::Club(args)) => mail::club(&args, registry),
        Ok(Command::Check(args)) => check::run(&args, registry),
        Ok(Command::Engine(args)) => engine(&args, registry),
        Ok(Command::Bridge(args)) => bridging::run(&args, registry),
        Ok(Command::Engines(args)) => engines::list::run(&args, registry),
        Ok(Command::Stats(args)) => records::stats::run(&args, registry),
        Ok(Command::Merge(args)) => matches::merge::run(&args),
        Ok(Command::Worker(args)) => fleet::work(&args, registry),
        Ok(Command::Fleet(args)) => fleet::tool(&args),
        Ok(Command::Show(args)) => records::show::run(&args, registry),
        Ok(Command::Analyse(args)) => analysis::analyse::run(&args, registry),
        Ok(Command::Tune(args)) => training::tune::run(&args, registry),
        Ok(Command::Learn(args)) => training::learn::run(&args, registry),
        Ok(Command::TuneOptions(args)) => training::tune_options::run(&args, registry),
        Ok(Command::Solve(args)) => analysis::solve::run(&args, registry),
        Ok(Command::Puzzle(args)) => analysis::puzzle::run(&args, registry),
        Ok(Command::Prove(args)) => analysis::prove::run(&args, registry),
        Ok(Command::Mine(args)) => analysis::mine::run(&args, registry),
        Ok(Command::Table(command)) => analysis::tablebase::run(&command, registry, tables),
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
        writeln!(out, "{}", records::render::game(entry)).map_err(Failure::Output)?;
    }
    Ok(ExitCode::SUCCESS)
}
