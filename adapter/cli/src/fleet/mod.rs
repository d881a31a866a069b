//! Matches over several machines: `linesman match --fleet`, `linesman worker`, `linesman fleet`.

mod coordinate;
mod tool;
mod worker;

use fleet::{FleetError, Link, ServerArgs};

pub(crate) use coordinate::Fleet;
pub(crate) use tool::run as tool;
pub(crate) use worker::run as work;

use crate::args::CredentialArgs;
use crate::paths::absolute;
use crate::usage::Failure;

/// Connects to the server at this address.
fn connect(url: &str, credentials: &CredentialArgs) -> Result<Link, Failure> {
    let variable = |name| std::env::var(name).ok();
    let server = ServerArgs {
        url: url.to_owned(),
        // As NATS's own command line takes them.
        user: variable("NATS_USER").zip(variable("NATS_PASSWORD")),
        creds: credentials.creds.as_deref().map(absolute),
        tls_ca: credentials.tls_ca.as_deref().map(absolute),
    };
    Link::connect(&server).map_err(failure)
}

fn failure(error: FleetError) -> Failure {
    match error {
        FleetError::Usage(text) => Failure::Usage(text),
        FleetError::Failed(text) => Failure::Trouble(text),
    }
}
