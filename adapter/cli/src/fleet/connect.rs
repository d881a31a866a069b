//! The connection to the server of the matches.

use fleet::{FleetError, Link, ServerArgs};

use crate::args::CredentialArgs;
use crate::paths::absolute;
use crate::usage::Failure;

/// Connects to the server at this address.
pub(super) fn connect(url: &str, credentials: &CredentialArgs) -> Result<Link, Failure> {
    let server = ServerArgs {
        url: url.to_owned(),
        creds: credentials.creds.as_deref().map(absolute),
        tls_ca: credentials.tls_ca.as_deref().map(absolute),
    };
    Link::connect(&server).map_err(failure)
}

pub(super) fn failure(error: FleetError) -> Failure {
    match error {
        FleetError::Usage(text) => Failure::Usage(text),
        FleetError::Server(text) | FleetError::Refused(text) => Failure::Trouble(text),
    }
}
