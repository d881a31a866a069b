//! `linesman`, the command line: arguments in, text out.
//!
//! The only place that prints, exits or reads the terminal. `args` holds the shapes, `plan` and `words` make checked
//! values of them, `match_`, `play`, `check`, `stats`, `show`, `solve` and `mine` carry a command out, `render` and `report`
//! make text, `live` shows it.

mod args;
mod check;
mod keys;
mod live;
mod match_;
mod mine;
mod plan;
mod play;
mod render;
mod report;
mod show;
mod solve;
mod source;
mod stats;
mod tune;
mod usage;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use linesman::catalogue::{Builtin, GAMES, GameError};

use args::{Command, EngineArgs, EngineTask};
use usage::Failure;

fn main() -> ExitCode {
    let result = match args::read() {
        Ok(Command::Match(args)) => match_::run(&args),
        Ok(Command::Play(args)) => play::run(&args),
        Ok(Command::Check(args)) => check::run(&args),
        Ok(Command::Engine(args)) => engine(&args),
        Ok(Command::Stats(args)) => stats::run(&args),
        Ok(Command::Show(args)) => show::run(&args),
        Ok(Command::Tune(args)) => tune::run(&args),
        Ok(Command::Solve(args)) => solve::run(&args),
        Ok(Command::Mine(args)) => mine::run(&args),
        Ok(Command::Games) => games(),
        Err(failure) => Err(failure),
    };
    result.unwrap_or_else(|failure| failure.report())
}

fn engine(args: &EngineArgs) -> Result<ExitCode, Failure> {
    let unknown = || Failure::Usage(format!("GAME: {}", GameError::Unknown(args.game.clone())));
    let builtin = Builtin::find(&args.game).ok_or_else(unknown)?;
    Ok(match args.task {
        None => (builtin.serve)(),
        Some(EngineTask::Bench) => (builtin.bench)(),
    })
}

fn games() -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    for builtin in GAMES {
        writeln!(out, "{}", render::game(builtin)).map_err(Failure::Output)?;
    }
    Ok(ExitCode::SUCCESS)
}
