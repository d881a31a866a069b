//! `linesman-lab`: what makes engines better, or measures how well they play.
//!
//! [`run`] reads the arguments, whose shapes are in `args`, and calls the command, which has a module of its name.

mod args;
mod mine;
mod prove;
mod solve;

use std::process::ExitCode;

use args::{Cli, Command};
use clap::CommandFactory;
use linesman::{program, rules};
use record::registry::Registry;

/// Runs the command in the process's arguments with these games. Returns the exit status.
pub fn run(registry: Registry) -> ExitCode {
    program::run("linesman-lab", |args| {
        let (cli, _) = program::read::<Cli>(args, &Cli::command())?;
        let registry = rules::extend(registry, cli.rules.rules.as_deref(), &cli.command)?;
        match cli.command {
            Command::Solve(args) => solve::run(&args, registry),
            Command::Prove(args) => prove::run(&args, registry),
            Command::Mine(args) => mine::run(&args, registry),
            Command::Manual(command) => command.run(Cli::command()),
        }
    })
}
