//! The server of a club's pages and of a fleet's, at an address of the command line.

use std::net::TcpListener;
use std::process::ExitCode;

use gui::Page;

use crate::output::print;
use crate::usage::{Failure, OrFail, usage};

/// Serves the pages that `page` makes of their paths, until the process is ended.
pub(crate) fn serve(
    listen: &str,
    page: impl Fn(&str) -> Page + Send + Sync + 'static,
) -> Result<ExitCode, Failure> {
    let bound =
        TcpListener::bind(listen).and_then(|listener| Ok((listener.local_addr()?, listener)));
    let (address, listener) =
        bound.map_err(|error| usage("--listen", format!("{listen}: {error}")))?;
    print(&format!("http://{address}/"), false)?;
    gui::serve_pages(listener, page).or_fail()?;
    Ok(ExitCode::SUCCESS)
}
