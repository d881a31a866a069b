//! The connection to the server of the matches.

use std::fs;
use std::path::Path;

use fleet::{FleetError, Link, ServerArgs};

use crate::args::CredentialArgs;
use crate::paths::absolute;
use crate::platform::is_private;
use crate::usage::{Failure, OrFail};

/// Environment variable with the password.
const PASSWORD: &str = "LINESMAN_FLEET_PASSWORD";

/// Connects to the server at this address.
pub(super) fn connect(url: &str, credentials: &CredentialArgs) -> Result<Link, Failure> {
    let server = ServerArgs {
        url: url.to_owned(),
        password: password(credentials)?,
        creds: credentials.creds.as_deref().map(absolute),
        tls_ca: credentials.tls_ca.as_deref().map(absolute),
    };
    Link::connect(&server).map_err(failure)
}

fn password(credentials: &CredentialArgs) -> Result<Option<String>, Failure> {
    let Some(path) = &credentials.password_file else {
        return Ok(std::env::var(PASSWORD).ok());
    };
    let read = read_private(path).or_usage("--password-file")?;
    Ok(Some(read.trim_end_matches(['\r', '\n']).to_owned()))
}

/// Reads a file that only its owner can read.
fn read_private(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let about = fs::metadata(path).map_err(|error| format!("{shown}: {error}"))?;
    if !is_private(&about) {
        return Err(format!(
            "{shown}: other users can read it: expected mode 0600"
        ));
    }
    fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))
}

pub(super) fn failure(error: FleetError) -> Failure {
    match error {
        FleetError::Usage(text) => Failure::Usage(text),
        FleetError::Server(text) | FleetError::Refused(text) => Failure::Trouble(text),
    }
}
