//! `linesman fleet`: inspects a server and removes matches from it.

use std::process::ExitCode;

use super::{removal, status};
use crate::args::{FleetTool, FleetToolArgs};
use crate::usage::Failure;

/// Runs the subcommand.
pub(crate) fn run(args: &FleetToolArgs) -> Result<ExitCode, Failure> {
    match &args.tool {
        FleetTool::Status(args) => status::run(args)?,
        FleetTool::Remove(args) => removal::run(args)?,
    }
    Ok(ExitCode::SUCCESS)
}
