//! `linesman-fleet`: one match over many machines, on NATS JetStream.
//!
//! A coordinator puts pairs of games into a queue and records their results. A worker plays pairs. Both are clients of one
//! NATS server, whose JetStream keeps pairs until they are played and results until they are recorded.
//!
//! [`run`] reads the arguments, whose shapes are in `args`, and calls the command: `coordinator` is
//! `match`, `worker` is `worker`, `status` is `status` and `remove`. Message formats are in `wire`, streams in
//! `streams`. An invalid message is dropped and reported.

mod archive;
mod args;
mod content;
mod coordinator;
mod dispatch;
mod join;
mod link;
mod platform;
mod reports;
mod status;
mod streams;
mod wire;
mod worker;

#[cfg(test)]
#[path = "../../record/src/tests/testing.rs"]
#[allow(dead_code)]
mod record_testing;

use std::ffi::OsString;
use std::process::ExitCode;

use args::Command;
use coordinator::Fleet;
use linesman::matches::{self, heed_signals};
use linesman::program::{self, Cli};
use linesman::usage::Failure;
use linesman::{config, rules};
use record::registry::Registry;

/// Runs the command in the process's arguments with these games. Returns the exit status.
pub fn run(registry: Registry) -> ExitCode {
    program::run("linesman-fleet", |args| run_command(args, registry))
}

fn run_command(args: Vec<OsString>, registry: Registry) -> Result<ExitCode, Failure> {
    let about = "One match over many machines: a coordinator and its workers, on a NATS server";
    let shapes = || Cli::<Command>::shapes("linesman-fleet", about);
    let (mut cli, found) = Cli::<Command>::read(args, shapes())?;
    if let Command::Match(args) = &mut cli.command {
        heed_signals()?;
        let found = found
            .subcommand_matches("match")
            .expect("the command is match");
        config::complete(&mut args.game, &mut cli.rules, found, shapes)?;
    }
    let registry = rules::extend(
        registry,
        cli.rules.rules.as_deref(),
        cli.command.rules_context(),
    )?;
    match cli.command {
        Command::Match(args) => matches::run(&args.game, registry, Some(&Fleet::new(args.fleet))),
        Command::Worker(args) => worker::run(&args, registry),
        Command::Status(args) => status::show(&args),
        Command::Remove(args) => status::remove(&args),
        Command::Manual(command) => command.run(shapes()),
    }
}
