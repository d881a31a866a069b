//! `linesman fleet remove`: deletes the data of a match on a server.

use fleet::remove;

use super::connect::{connect, failure};
use crate::args::RemoveArgs;
use crate::output::{one_line, print};
use crate::usage::Failure;

/// Deletes the data and shows what was deleted.
pub(super) fn run(args: &RemoveArgs) -> Result<(), Failure> {
    let link = connect(&args.url, &args.credentials)?;
    let removed = remove(&link, &args.id).map_err(failure)?;
    let line = format!(
        "Match {} removed, with {} unplayed pairs and {} unrecorded results",
        args.id, removed.pairs, removed.results
    );
    print(&one_line(&line), false)
}
