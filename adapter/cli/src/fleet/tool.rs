//! `linesman fleet`: shows the matches and workers of a server, and removes matches from it.

use std::process::ExitCode;

use fleet::status::{MatchStatus, Status, read, remove};
use fleet::wire::{MatchState, WorkerState};

use super::connect::{connect, failure};
use crate::args::{FleetTool, FleetToolArgs, RemoveArgs, StatusArgs};
use crate::output::{one_line, print};
use crate::play::text::count;
use crate::usage::Failure;

/// Runs the subcommand.
pub(crate) fn run(args: &FleetToolArgs) -> Result<ExitCode, Failure> {
    match &args.tool {
        FleetTool::Status(args) => show_status(args)?,
        FleetTool::Remove(args) => remove_match(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn remove_match(args: &RemoveArgs) -> Result<(), Failure> {
    let link = connect(&args.url, &args.credentials)?;
    let removed = remove(&link, &args.id).map_err(failure)?;
    let line = format!(
        "Match {} removed, with {} unplayed pairs and {} unrecorded results",
        args.id, removed.pairs, removed.results
    );
    print(&one_line(&line), false)
}

fn show_status(args: &StatusArgs) -> Result<(), Failure> {
    let link = connect(&args.url, &args.credentials)?;
    let status = read(&link).map_err(failure)?;
    let shown = match args.json {
        true => serde_json::to_string(&status).expect("plain data has a form in JSON"),
        false => text(&status),
    };
    print(&shown, args.json)
}

fn text(status: &Status) -> String {
    let mut lines = Vec::new();
    if status.matches.is_empty() {
        lines.push("no match".to_owned());
    }
    for found in &status.matches {
        lines.extend(match_lines(found));
    }
    if !status.free.is_empty() {
        let n_free = count(status.free.len(), "worker");
        lines.push(format!("{n_free} without a match"));
        lines.extend(status.free.iter().map(free_worker_line));
    }
    let lines: Vec<String> = lines
        .iter()
        .map(|line| one_line(line).into_owned())
        .collect();
    lines.join("\n")
}

fn match_lines(found: &MatchStatus) -> Vec<String> {
    let state = match found.state {
        MatchState::Open => "",
        MatchState::Paused => ", paused",
        MatchState::Over => ", over",
    };
    let names = found.engines.join(" vs ");
    let mut lines = vec![format!(
        "Match {}: {}, {names}{state}",
        found.id, found.game
    )];
    if let Some(coordinator) = &found.coordinator {
        let rate = coordinator.games_an_hour();
        lines.push(format!(
            "  {} of {} games, {}; {rate:.0} games an hour; coordinator on {}",
            coordinator.games, coordinator.total, coordinator.score, coordinator.host
        ));
    }
    lines.push(format!(
        "  pairs: {} in progress, {} waiting; unrecorded results: {}",
        found.leased, found.waiting, found.unrecorded
    ));
    lines.extend(found.workers.iter().map(worker_line));
    lines.extend(found.stuck.iter().map(|stuck| format!("  stuck: {stuck}")));
    lines
}

fn free_worker_line(worker: &WorkerState) -> String {
    let cores = count(worker.cores, "core");
    format!(
        "  {}: {cores}, load {:.1}, {}",
        worker.worker, worker.load, worker.cpu
    )
}

fn worker_line(worker: &WorkerState) -> String {
    format!(
        "  {}: {} of {} cores, {} played, {:.0} an hour, {} now, times x {:.2}, load {:.1}, {}",
        worker.worker,
        worker.concurrency,
        worker.cores,
        count(worker.pairs, "pair"),
        worker.pairs_an_hour(),
        worker.playing.len(),
        worker.scale,
        worker.load,
        worker.cpu
    )
}
