//! Status of a server: its matches and their workers. Removal of what a match has left there.

use std::time::Duration;

use serde::Serialize;

use crate::coordinator::{ask, refuse_second};
use crate::link::{FleetError, Link};
use crate::reports::{REPORT_INTERVAL, Workers};
use crate::streams::{self, WORKERS, result_stream, work_stream};
use crate::wire::{Announcement, CoordinatorState, MatchState, WorkerState};

/// Status of a server.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// Matches, sorted by id.
    pub matches: Vec<MatchStatus>,
    /// Workers that play none of them.
    pub free: Vec<WorkerState>,
}

/// Status of one match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchStatus {
    /// Id of the match.
    pub id: String,
    /// Game and options.
    pub game: String,
    /// Names of the engines.
    pub engines: Vec<String>,
    /// Open or paused.
    pub state: MatchState,
    /// State reported by its coordinator; `None` if it has none now.
    pub coordinator: Option<CoordinatorState>,
    /// Pairs in the queue that no worker has taken.
    pub waiting: u64,
    /// Pairs that workers have taken.
    pub leased: u64,
    /// Results not yet recorded by the coordinator.
    pub unrecorded: u64,
    /// Its workers.
    pub workers: Vec<WorkerState>,
    /// Problems that block progress, as text.
    pub stuck: Vec<String>,
}

/// Queries a server, its coordinators and its workers. Takes the time in which each worker reports once.
///
/// # Errors
/// The server does not answer.
pub fn read(link: &Link) -> Result<Status, FleetError> {
    let workers = Workers::listen(link).map_err(FleetError::Failed)?;
    std::thread::sleep(REPORT_INTERVAL + Duration::from_millis(200));
    let (mut free, mut matches) = (workers.present(), Vec::new());
    for found in link.wait(streams::announcements(link)) {
        let is_own = |worker: &mut WorkerState| worker.match_id == found.plan.id;
        let workers = free.extract_if(.., is_own).collect();
        matches.push(match_status(link, found, workers));
    }
    Ok(Status { matches, free })
}

fn match_status(link: &Link, found: Announcement, workers: Vec<WorkerState>) -> MatchStatus {
    let (id, game) = (found.plan.id, found.plan.game.to_string());
    let engines = found.plan.engines.into_iter();
    let coordinator = ask(link, &id).ok().flatten();
    let counts = link.wait(async {
        let stream = link.stream(&work_stream(&id)).await.ok()?;
        let info = stream.consumer_info(WORKERS).await.ok()?;
        Some((info.num_pending, info.num_ack_pending as u64))
    });
    let (waiting, leased) = counts.unwrap_or_default();
    let unrecorded = link.wait(count(link, &result_stream(&id)));
    let mut stuck = Vec::new();
    if coordinator.is_none() {
        stuck.push("no coordinator: linesman match --resume LEDGER --fleet URL resumes it, linesman fleet remove URL \
                    ID ends it".to_owned());
    }
    if found.state == MatchState::Open && workers.iter().all(|worker| worker.concurrency == 0) {
        stuck.push("no worker".to_owned());
    }
    stuck.extend(workers.iter().filter_map(|worker| {
        let why = worker.refused.as_ref()?;
        Some(format!("{} was rejected: {why}", worker.worker))
    }));
    MatchStatus {
        id,
        game,
        engines: engines.filter_map(|spec| spec.name).collect(),
        state: found.state,
        coordinator,
        waiting,
        leased,
        unrecorded: unrecorded.unwrap_or_default(),
        workers,
        stuck,
    }
}

/// Deletes the announcement and the streams of a match. Its workers finish their current pairs and leave it. If a
/// coordinator resumes the match later, it offers the pairs that are missing from its ledger again. Returns the numbers
/// of the pairs that were not finished, and of the results that are in no ledger.
///
/// # Errors
/// There is no such match, it has a coordinator, or the server does not answer.
pub fn remove(link: &Link, id: &str) -> Result<(u64, u64), FleetError> {
    if !streams::is_match_id(id) {
        return Err(FleetError::Usage(format!(
            "{id:?} is not the id of a match: expected hex digits, as linesman fleet status shows them"
        )));
    }
    refuse_second(link, id, "none: end it first")?;
    let is_announced = link.wait(streams::last_announced(link, id));
    let counts = [work_stream(id), result_stream(id)].map(|name| link.wait(count(link, &name)));
    let [pairs, results] = counts;
    if pairs.or(results).is_none() && !is_announced.is_ok_and(|found| found.is_some()) {
        let why = format!("no match {id}: expected one that linesman fleet status shows");
        return Err(link.failed(why));
    }
    link.wait(streams::delete_match(link, id));
    Ok((pairs.unwrap_or(0), results.unwrap_or(0)))
}

/// Number of messages in a stream; `None` if it does not exist.
async fn count(link: &Link, name: &str) -> Option<u64> {
    let stream = link.stream(name).await.ok()?;
    Some(stream.get_info().await.ok()?.state.messages)
}
