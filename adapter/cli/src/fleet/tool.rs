//! `linesman fleet`: shows the matches and workers of a server, and removes matches from it.

use std::process::ExitCode;

use fleet::status::{MatchStatus, Status, read, remove};
use fleet::wire::{MatchState, WorkerState};

use super::{connect, failure};
use crate::args::{FleetTool, FleetToolArgs};
use crate::output::count;
use crate::output::{one_line, print};
use crate::usage::Failure;

/// Runs the subcommand.
pub(crate) fn run(args: &FleetToolArgs) -> Result<ExitCode, Failure> {
    match &args.tool {
        FleetTool::Status { server, json } => {
            let link = connect(&server.url, &server.credentials)?;
            let status = read(&link).map_err(failure)?;
            let shown = match json {
                true => serde_json::to_string(&status).expect("plain data has a form in JSON"),
                false => text(&status),
            };
            print(&shown, *json)?;
        }
        FleetTool::Remove { server, id } => {
            let link = connect(&server.url, &server.credentials)?;
            let (pairs, results) = remove(&link, id).map_err(failure)?;
            let line = format!(
                "Match {id} removed, with {pairs} unplayed pairs and {results} unrecorded results"
            );
            print(&one_line(&line), false)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn text(status: &Status) -> String {
    let mut lines: Vec<String> = status.matches.iter().flat_map(match_lines).collect();
    if lines.is_empty() {
        lines.push("no match".to_owned());
    }
    if !status.free.is_empty() {
        let n_free = count(status.free.len(), "worker");
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
    lines.extend(found.workers.iter().map(worker_line));
    lines.extend(found.stuck.iter().map(|stuck| format!("  stuck: {stuck}")));
    lines
}

fn worker_line(worker: &WorkerState) -> String {
    format!(
        "  {}: {} of {} cores, {} played, {} now, times x {:.2}",
        worker.worker,
        worker.concurrency,
        worker.cores,
        count(worker.pairs, "pair"),
        worker.playing.len(),
        worker.scale
    )
}
