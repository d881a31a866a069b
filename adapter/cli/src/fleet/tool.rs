//! `linesman fleet`: looks at a server, and cleans it up.

use std::process::ExitCode;

use super::{removal, status};
use crate::args::{FleetTool, FleetToolArgs};
use crate::usage::Failure;

/// Carries out what is asked for.
pub(crate) fn run(args: &FleetToolArgs) -> Result<ExitCode, Failure> {
    match &args.tool {
        FleetTool::Status(args) => status::run(args)?,
        FleetTool::Remove(args) => removal::run(args)?,
    }
    Ok(ExitCode::SUCCESS)
}
