//! `linesman-fleet status`: the matches of a server and their workers. `remove`: deletes what a match has left there.

use std::process::ExitCode;
use std::time::Duration;

use kit::fen::counted;
use linesman::output::{self, one_line};
use linesman::usage::{Failure, refuse};
use serde::Serialize;

use crate::args::{RemoveArgs, StatusArgs};
use crate::link::Link;
use crate::reports::{REPORT_INTERVAL, Workers};
use crate::streams::{self, ServerMatch};
use crate::wire::{CoordinatorState, MatchState, WorkerState};

/// Shows the matches and workers of a server.
pub(crate) fn show(args: &StatusArgs) -> Result<ExitCode, Failure> {
    let link = Link::connect(&args.server.url, &args.server.credentials)?;
    let status = read(&link)?;
    let shown = match args.json {
        true => serde_json::to_string(&status).expect("plain data has a form in JSON"),
        false => text(&status),
    };
    output::print(&shown, args.json)?;
    Ok(ExitCode::SUCCESS)
}

/// Status of a server.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Status {
    /// Matches, sorted by id.
    pub(crate) matches: Vec<MatchStatus>,
    /// Workers that play none of them.
    pub(crate) free: Vec<WorkerState>,
}

/// Status of one match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct MatchStatus {
    /// Id of the match.
    pub(crate) id: String,
    /// Game and options.
    pub(crate) game: String,
    /// Names of the engines.
    pub(crate) engines: Vec<String>,
    /// Open or paused.
    pub(crate) state: MatchState,
    /// State reported by its coordinator; `None` if it has none now.
    pub(crate) coordinator: Option<CoordinatorState>,
    /// Pairs in the queue that no worker has taken.
    pub(crate) waiting: u64,
    /// Pairs that workers have taken.
    pub(crate) leased: u64,
    /// Results not yet recorded by the coordinator.
    pub(crate) unrecorded: u64,
    /// Its workers.
    pub(crate) workers: Vec<WorkerState>,
    /// Problems that block progress, as text.
    pub(crate) stuck: Vec<String>,
}

/// Queries a server, its coordinators and its workers. Takes the time in which each worker reports once.
///
/// # Errors
/// The server does not answer.
fn read(link: &Link) -> Result<Status, Failure> {
    let workers = Workers::listen(link).map_err(Failure::Trouble)?;
    std::thread::sleep(REPORT_INTERVAL + Duration::from_millis(200));
    let (mut free, mut matches) = (workers.present(), Vec::new());
    for found in streams::announcements(link) {
        let is_own = |worker: &mut WorkerState| worker.match_id == found.plan.id;
        let workers: Vec<_> = free.extract_if(.., is_own).collect();
        let server = ServerMatch::of(link, &found.plan.id);
        let engines = found.plan.engines.into_iter();
        let coordinator = server.ask().ok().flatten();
        let (waiting, leased) = server.pair_counts().unwrap_or_default();
        let mut stuck = Vec::new();
        if coordinator.is_none() {
            stuck.push("no coordinator: linesman-fleet match --resume LEDGER --fleet URL resumes it, linesman-fleet \
                    remove URL ID ends it".to_owned());
        }
        if found.state == MatchState::Open && workers.iter().all(|worker| worker.concurrency == 0) {
            stuck.push("no worker".to_owned());
        }
        stuck.extend(workers.iter().filter_map(|worker| {
            let why = worker.refused.as_ref()?;
            Some(format!("{} was rejected: {why}", worker.worker))
        }));
        matches.push(MatchStatus {
            id: found.plan.id,
            game: found.plan.game.to_string(),
            engines: engines.filter_map(|spec| spec.name).collect(),
            state: found.state,
            coordinator,
            waiting,
            leased,
            unrecorded: server.n_messages("RESULTS").unwrap_or_default(),
            workers,
            stuck,
        });
    }
    Ok(Status { matches, free })
}

/// Deletes the announcement and the streams of a match. Its workers finish their current pairs and leave it. If a
/// coordinator resumes the match later, it offers the pairs that are missing from its ledger again.
pub(crate) fn remove(args: &RemoveArgs) -> Result<ExitCode, Failure> {
    let id = &args.id;
    if !streams::is_match_id(id) {
        return refuse!("{id:?} is not the id of a match. linesman-fleet status shows the ids");
    }
    let link = Link::connect(&args.server.url, &args.server.credentials)?;
    let server = ServerMatch::of(&link, id);
    server.refuse_second(". End it first")?;
    let is_announced = server.last_announced().is_ok_and(|found| found.is_some());
    let [pairs, results] = ["WORK", "RESULTS"].map(|kind| server.n_messages(kind));
    if pairs.or(results).is_none() && !is_announced {
        let why = format!("no match {id}. linesman-fleet status shows the matches");
        return Err(link.failed(why));
    }
    server.delete();
    let [pairs, results] = [pairs, results].map(Option::unwrap_or_default);
    let line =
        format!("Match {id} removed, with {pairs} unplayed pairs and {results} unrecorded results");
    output::print(&one_line(&line), false)?;
    Ok(ExitCode::SUCCESS)
}

fn text(status: &Status) -> String {
    let mut lines: Vec<String> = status.matches.iter().flat_map(match_lines).collect();
    if lines.is_empty() {
        lines.push("no match".to_owned());
    }
    if !status.free.is_empty() {
        let n_free = counted(status.free.len(), "worker");
        lines.push(format!("{n_free} without a match"));
        lines.extend(status.free.iter().map(|free| format!("  {}", free.worker)));
    }
    let lines: Vec<_> = lines.iter().map(|line| one_line(line)).collect();
    lines.join("\n")
}

fn match_lines(found: &MatchStatus) -> Vec<String> {
    let state = match found.state {
        MatchState::Open => "",
        MatchState::Paused => ", paused",
    };
    let (id, game, names) = (&found.id, &found.game, found.engines.join(" vs "));
    let mut lines = vec![format!("Match {id}: {game}, {names}{state}")];
    lines.extend(found.coordinator.as_ref().map(|coordinator| {
        format!(
            "  {} of {} games, {}; {:.0} games an hour; coordinator on {}",
            coordinator.games,
            coordinator.total,
            coordinator.score,
            coordinator.games_an_hour,
            coordinator.host
        )
    }));
    lines.push(format!(
        "  pairs: {} in progress, {} waiting; unrecorded results: {}",
        found.leased, found.waiting, found.unrecorded
    ));
    lines.extend(found.workers.iter().map(|worker| {
        format!(
            "  {}: {} of {} cores, {} played, {} now, times x {:.2}",
            worker.worker,
            worker.concurrency,
            worker.cores,
            counted(worker.pairs, "pair"),
            worker.playing.len(),
            worker.scale
        )
    }));
    lines.extend(found.stuck.iter().map(|stuck| format!("  stuck: {stuck}")));
    lines
}
