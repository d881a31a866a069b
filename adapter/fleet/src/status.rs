//! Status of a server: its matches and their workers. Removal of what a match has left there.

use std::time::Duration;

use serde::Serialize;

use crate::coordinator::{ask, refuse_second};
use crate::link::{FleetError, Link};
use crate::reports::Workers;
use crate::streams::{self, WORKERS, result_stream, work_stream};
use crate::wire::{Announcement, CoordinatorState, MatchState, WorkerState};

/// Time in which workers may answer.
const ANSWER_TIME: Duration = Duration::from_secs(1);

/// Seconds on one pair after which a worker may be stuck.
const LONG: f64 = 3600.0;

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
    /// Open, paused or over.
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

/// Queries a server, its coordinators and its workers. Takes a second.
///
/// # Errors
/// The server does not answer.
pub fn read(link: &Link) -> Result<Status, FleetError> {
    let workers = Workers::listen(link).map_err(FleetError::Failed)?;
    std::thread::sleep(ANSWER_TIME);
    let mut free = workers.present();
    let announced = link.wait(streams::announcements(link));
    let mut matches = Vec::new();
    for announcement in announced {
        let (workers, others) = free
            .into_iter()
            .partition(|worker| worker.match_id == announcement.plan.id);
        free = others;
        matches.push(match_status(link, announcement, workers));
    }
    Ok(Status { matches, free })
}

fn match_status(link: &Link, found: Announcement, workers: Vec<WorkerState>) -> MatchStatus {
    let (id, game) = (found.plan.id, found.plan.game.to_string());
    let names = found.plan.engines.into_iter().filter_map(|spec| spec.name);
    let coordinator = ask(link, &id).ok().flatten();
    let (waiting, leased) = link
        .wait(async {
            let stream = link.stream(&work_stream(&id)).await.ok()?;
            let info = stream.consumer_info(WORKERS).await.ok()?;
            Some((info.num_pending, info.num_ack_pending as u64))
        })
        .unwrap_or_default();
    let unrecorded = link
        .wait(count(link, &result_stream(&id)))
        .unwrap_or_default();
    let mut status = MatchStatus {
        id,
        game,
        engines: names.collect(),
        state: found.state,
        coordinator,
        waiting,
        leased,
        unrecorded,
        workers,
        stuck: Vec::new(),
    };
    status.stuck = stuck(&status);
    status
}

fn stuck(status: &MatchStatus) -> Vec<String> {
    let mut stuck = Vec::new();
    if status.coordinator.is_none() {
        stuck.push("no coordinator: linesman match --resume LEDGER --fleet URL resumes it, linesman fleet remove URL \
                    ID ends it".to_owned());
    }
    if status.state == MatchState::Open
        && status.workers.iter().all(|worker| worker.concurrency == 0)
    {
        stuck.push("no worker".to_owned());
    }
    for worker in &status.workers {
        if let Some(why) = &worker.refused {
            stuck.push(format!("{} was rejected: {why}", worker.worker));
        }
        for playing in worker
            .playing
            .iter()
            .filter(|playing| playing.seconds > LONG)
        {
            let minutes = playing.seconds / 60.0;
            stuck.push(format!(
                "{} has been playing pair {} for {minutes:.0} minutes",
                worker.worker, playing.pair
            ));
        }
    }
    stuck
}

/// Counts of what was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// Pairs that were not finished.
    pub pairs: u64,
    /// Results that are in no ledger.
    pub results: u64,
}

/// Deletes the announcement and the streams of a match. Its workers finish their current pairs and leave it. If a
/// coordinator resumes the match later, it offers the pairs that are missing from its ledger again.
///
/// # Errors
/// There is no such match, it has a coordinator, or the server does not answer.
pub fn remove(link: &Link, id: &str) -> Result<Removed, FleetError> {
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
