//! Removes the remains of a match from a server, on a user's command.

use crate::coordinator::refuse_second;
use crate::link::{FleetError, Link};
use crate::{names, streams};

/// Counts of what was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// Pairs that were not finished.
    pub pairs: u64,
    /// Results, or parts of them, that are in no ledger.
    pub results: u64,
}

/// Deletes the announcement and the streams of a match. Its workers finish their current pairs and leave it. If a
/// coordinator resumes the match later, it offers the pairs that are missing from its ledger again.
///
/// # Errors
/// There is no such match, it has a coordinator, or the server does not answer.
pub fn remove(link: &Link, id: &str) -> Result<Removed, FleetError> {
    if !names::is_match_id(id) {
        return Err(FleetError::Usage(format!(
            "{id:?} is not the id of a match: expected hex digits, as linesman fleet status shows them"
        )));
    }
    refuse_second(link, id, "none: end it first")?;
    let is_announced = link
        .wait(streams::announcements(link))
        .iter()
        .any(|found| found.id == id);
    let [pairs, results, engines] =
        streams::match_streams(id).map(|name| link.wait(count(link, &name)));
    if !is_announced && pairs.or(results).or(engines).is_none() {
        return Err(FleetError::Server(format!(
            "{}: no match {id}: expected one that linesman fleet status shows",
            link.server()
        )));
    }
    link.wait(streams::delete_match(&link.jetstream, id));
    Ok(Removed {
        pairs: pairs.unwrap_or(0),
        results: results.unwrap_or(0),
    })
}

/// Number of messages in a stream; `None` if it does not exist.
async fn count(link: &Link, name: &str) -> Option<u64> {
    let stream = link.stream(name).await.ok()?;
    Some(stream.get_info().await.ok()?.state.messages)
}
