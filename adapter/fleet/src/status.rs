//! Status of a server: its matches and their workers.

use std::time::Duration;

use serde::Serialize;

use crate::link::{FleetError, Link};
use crate::wire::{Announcement, CoordinatorState, MatchState, WorkerState};
use crate::worker_registry::WorkerRegistry;
use crate::{coordinator, names, streams};

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
    /// Workers play the matches with the highest priority.
    pub priority: i32,
    /// Part of the workers, relative to other matches of the same priority.
    pub share: f64,
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
    let workers = WorkerRegistry::listen(link).map_err(FleetError::Server)?;
    std::thread::sleep(ANSWER_TIME);
    let mut free = workers.present();
    let announced = link.wait(streams::announcements(link));
    let mut matches = Vec::new();
    for announcement in announced {
        let (workers, others) = free
            .into_iter()
            .partition(|worker| worker.match_id == announcement.id);
        free = others;
        matches.push(match_status(link, announcement, workers));
    }
    Ok(Status { matches, free })
}

fn match_status(link: &Link, found: Announcement, workers: Vec<WorkerState>) -> MatchStatus {
    let id = found.id;
    let coordinator = coordinator::ask(link, &id).ok().flatten();
    let (waiting, leased) = link
        .wait(async {
            let stream = link.stream(&names::work_stream(&id)).await.ok()?;
            let info = stream.consumer_info(names::WORKERS).await.ok()?;
            Some((info.num_pending, info.num_ack_pending as u64))
        })
        .unwrap_or_default();
    let unrecorded = link
        .wait(async {
            let stream = link.stream(&names::result_stream(&id)).await.ok()?;
            Some(stream.get_info().await.ok()?.state.messages)
        })
        .unwrap_or_default();
    let mut status = MatchStatus {
        id,
        game: found.game.to_string(),
        engines: found
            .engines
            .into_iter()
            .map(|engine| engine.name)
            .collect(),
        state: found.state,
        priority: found.priority,
        share: found.share,
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
