//! The commands of `fleet` in a build without it: each returns an error that names the feature.

use std::process::ExitCode;

use record::plan::Plan;
use record::registry::Registry;
use referee::host::Host;

use crate::args::{FleetArgs, FleetToolArgs, WorkerArgs};
use crate::matches::Coordinate;
use crate::usage::{Failure, usage};

/// No server can be connected to.
pub(crate) enum Fleet {}

impl Fleet {
    pub(crate) fn connect(args: &FleetArgs) -> Result<Option<Fleet>, Failure> {
        match args.fleet {
            None => Ok(None),
            Some(_) => Err(absent("--fleet")),
        }
    }

    pub(crate) fn announce(&self, _: &Plan, _: &Host) -> Result<Coordinate, Failure> {
        match *self {}
    }
}

pub(crate) fn work(_: &WorkerArgs, _: Registry) -> Result<ExitCode, Failure> {
    Err(absent("worker"))
}

pub(crate) fn tool(_: &FleetToolArgs) -> Result<ExitCode, Failure> {
    Err(absent("fleet"))
}

fn absent(what: &str) -> Failure {
    usage(
        what,
        "this linesman was built without matches over several machines: expected one built with --features full",
    )
}
