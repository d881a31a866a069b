//! `linesman-lab`: what makes engines better, or measures how well they play.
//!
//! [`run`] reads the arguments, whose shapes are in `args`, and calls the command, which has a module of its name. The
//! computations are in the library [`lab`]; this crate has the files, the engines and what is shown.

mod args;
mod json_lines;
mod learn;
mod learner;
mod long_work;
mod mine;
mod prove;
mod solve;
mod table;
mod tune;
mod tune_options;

#[cfg(test)]
#[path = "../../record/src/tests/testing.rs"]
#[allow(dead_code)]
mod record_testing;

use std::process::ExitCode;

use args::Command;
use lab::tablebase::TableBuilder;
use linesman::program::{self, Cli};
use linesman::rules;
use record::registry::Registry;

/// The builders of the games that have tables of perfect play.
pub static TABLES: &[TableBuilder] = &[
    TableBuilder::of::<gobblet::Gobblet>(),
    TableBuilder::of::<susan::Susan>(),
    TableBuilder::of::<entropy::Entropy>(),
];

/// The advice to a person who has no file.
const RECORDS: &str = "linesman match writes ledgers";
const SUITES: &str = "a suite is a text with a position and its best moves a line; linesman-lab mine GAME > FILE writes one";

/// Runs the command in the process's arguments with these games. Returns the exit status.
pub fn run(registry: Registry, tables: &[TableBuilder]) -> ExitCode {
    program::run("linesman-lab", |args| {
        let about =
            "Learning, tuning, test suites and tables of perfect play for the engines of linesman";
        let shapes = || Cli::<Command>::shapes("linesman-lab", about);
        let (cli, _) = Cli::<Command>::read(args, shapes())?;
        let registry = rules::extend(
            registry,
            cli.rules.rules.as_deref(),
            cli.command.rules_context(),
        )?;
        match cli.command {
            Command::Tune(args) => {
                tune::run(&args, registry).map_err(|why| why.or_absent(&args.files[0], RECORDS))
            }
            Command::TuneOptions(args) => tune_options::run(&args, registry),
            Command::Learn(args) => learn::run(&args, registry),
            Command::Learner(args) => learner::run(&args, registry),
            Command::Solve(args) => {
                solve::run(&args, registry).map_err(|why| why.or_absent(&args.file, SUITES))
            }
            Command::Prove(args) => prove::run(&args, registry),
            Command::Mine(args) => mine::run(&args, registry),
            Command::Table(command) => table::run(&command, registry, tables),
            Command::Manual(command) => command.run(shapes()),
        }
    })
}
