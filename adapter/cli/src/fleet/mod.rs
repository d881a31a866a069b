//! Matches over several machines: `linesman match --fleet`, `linesman worker`, `linesman fleet`.

mod coordinate;
mod removal;
mod status;
mod tool;
mod worker;

pub(crate) use coordinate::{Announced, Fleet};
pub(crate) use tool::run as tool;
pub(crate) use worker::run as work;

use fleet::{FleetError, Link, ServerArgs};

use crate::args::CredentialArgs;
use crate::usage::Failure;
use crate::words::absolute;

/// Connects to the server at this address.
fn connect(url: &str, credentials: &CredentialArgs) -> Result<Link, Failure> {
    let server = ServerArgs {
        url: url.to_owned(),
        creds: credentials.creds.as_deref().map(absolute),
        tls_ca: credentials.tls_ca.as_deref().map(absolute),
    };
    Link::connect(&server).map_err(failure)
}

fn failure(error: FleetError) -> Failure {
    match error {
        FleetError::Usage(text) => Failure::Usage(text),
        FleetError::Server(text) | FleetError::Refused(text) => Failure::Trouble(text),
    }
}
