//! `linesman fleet`: starts and inspects a server, and removes matches and the results of workers.

use std::process::ExitCode;

use super::{ban, removal, serve, status, trust, web};
use crate::args::{FleetTool, FleetToolArgs};
use crate::usage::Failure;

/// Runs the subcommand.
pub(crate) fn run(args: &FleetToolArgs) -> Result<ExitCode, Failure> {
    match &args.tool {
        FleetTool::Status(args) => status::run(args)?,
        FleetTool::Remove(args) => removal::run(args)?,
        FleetTool::Serve(args) => serve::run(args)?,
        FleetTool::Web(args) => return web::run(args),
        FleetTool::Trust(args) => trust::run(args)?,
        FleetTool::Ban(args) => ban::run_ban(args)?,
        FleetTool::Purge(args) => ban::run_purge(args)?,
    }
    Ok(ExitCode::SUCCESS)
}
