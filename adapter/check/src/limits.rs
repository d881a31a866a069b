//! Steps: limits of depth, nodes and moves are respected, even tight ones. Time limits are tested in `timing`.

use crate::prelude::*;
use crate::search::Found;

const N_NODES: u64 = 10_000;

/// No `info` reports a depth above the limit.
pub(super) fn depth(dialogue: &mut Dialogue<'_>) -> Outcome {
    for depth in 1..=3 {
        let opening = dialogue.opening(2, 20)?;
        let found = answer(dialogue, &opening, &format!("depth {depth}"))?;
        let deepest = found.infos.iter().filter_map(|info| info.depth).max();
        ensure!(
            deepest.is_none_or(|deepest| deepest <= depth),
            "go depth {depth} reports depth {}",
            deepest.unwrap_or_default()
        );
    }
    pass()
}

/// The node count stays close to the limit. Engines may check it every few thousand nodes.
pub(super) fn nodes(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(2, 21)?;
    let found = answer(dialogue, &opening, &format!("nodes {N_NODES}"))?;
    ensure_nodes(&found)
}

/// Fails if an `info` reports many more nodes than `N_NODES`.
fn ensure_nodes(found: &Found) -> Outcome {
    const MOST: u64 = N_NODES + N_NODES / 4 + 5000;
    match found.infos.iter().filter_map(|info| info.nodes).max() {
        None => Ok("not measured: no info reports nodes".to_owned()),
        Some(nodes @ 0..=MOST) => Ok(format!("{nodes} of {N_NODES}")),
        Some(nodes) => Err(fail!("searches {nodes} nodes with a limit of {N_NODES}")),
    }
}

/// Searches with these limits and returns the answer; the move must be legal.
pub(super) fn answer(
    dialogue: &mut Dialogue<'_>,
    opening: &Opening,
    limits: &str,
) -> Checked<Found> {
    dialogue.set(opening)?;
    let found = dialogue.go(limits)?.answered()?;
    dialogue.ensure_legal(opening, &found.code)?;
    Ok(found)
}

/// The engine answers with a legal move even within very tight limits.
pub(super) fn tight(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(2, 25)?;
    let clocks = [dialogue.clock(1, 1, 0), dialogue.clock(0, 0, 0)];
    let limits = ["depth 1", "nodes 1", "movetime 1", "movetime 0"].map(str::to_owned);
    for limits in limits.into_iter().chain(clocks) {
        answer(dialogue, &opening, &limits)?;
    }
    pass()
}

/// With several limits, the first one reached ends the search.
pub(super) fn combined(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(2, 26)?;
    dialogue.set(&opening)?;
    let limits = format!("depth 60 nodes {N_NODES} movetime 60000");
    let found = dialogue.go(&limits)?.answered_or_skip()?;
    ensure_nodes(&found)?;
    for limits in ["depth 60 movetime 100", "movetime 60000 depth 1"] {
        answer(dialogue, &opening, limits)?;
    }
    pass()
}

/// Each `go` has one answer, and no output follows it.
pub(super) fn one_answer(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.set_random(2, 27)?;
    dialogue.go("depth 1")?.answered()?;
    let mut output = dialogue.sync()?;
    output.extend(dialogue.receive_for(PAUSE));
    silent(&output, "says", " after its bestmove")
}

/// Only the listed moves are considered. Several moves are requested in turn, so an engine that ignores `searchmoves`
/// fails.
pub(super) fn search_moves(dialogue: &mut Dialogue<'_>) -> Outcome {
    let (opening, mut codes) = position_with_choice(dialogue)?;
    dialogue.rng(29).shuffle(&mut codes);
    for code in codes.iter().take(4) {
        dialogue.set(&opening)?;
        let search = dialogue.go(&format!("depth 1 searchmoves {code}"))?;
        let found = search.answered_or_skip()?;
        ensure!(
            found.code == *code,
            "plays {} although searchmoves allows only {code}",
            excerpt(&found.code)
        );
    }
    pass()
}

/// Returns a position with at least two known moves, and these moves.
fn position_with_choice(dialogue: &mut Dialogue<'_>) -> Checked<(Opening, Vec<String>)> {
    for plies in [2, 1, 0, 3, 4, 6, 8] {
        let opening = dialogue.opening(plies, 28)?;
        let mut codes = dialogue.listed(&opening)?.unwrap_or_default();
        codes.sort_unstable();
        codes.dedup();
        if codes.len() > 1 {
            return Ok((opening, codes));
        }
    }
    Err(skip!("no second legal move is known"))
}

/// A malformed `go` starts no search.
pub(super) fn bad_go(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.set_random(2, 30)?;
    let mut trouble = None;
    for limits in ["depth", "depth three", "xyzzy 3", "depth 2 depth 3"] {
        let line = &format!("go {limits}");
        let mut output = dialogue.ask(line)?;
        output.extend(dialogue.ask("stop")?);
        if output.iter().any(|output| output.error().is_none()) {
            trouble.get_or_insert_with(|| format!("starts a search on \"{line}\""));
        } else if output.is_empty() {
            trouble.get_or_insert_with(|| format!("ignores \"{line}\" silently"));
        }
    }
    dialogue.receive_for(PAUSE);
    let found = dialogue.go("depth 1")?.answered()?;
    let after = format!(" comes after bestmove {}", found.code);
    let more = dialogue.receive_for(PAUSE);
    silent(&more, "still searching after a bad go:", &after)?;
    match trouble {
        Some(text) => Err(warning!("{text}: expected info error alone")),
        None => pass(),
    }
}

/// In a finished game, `go` is answered by an error and `bestmove none`.
pub(super) fn finished(dialogue: &mut Dialogue<'_>) -> Outcome {
    let over = dialogue.finished()?;
    dialogue.shortened(&over, refuses_to_search)
}

fn refuses_to_search(dialogue: &mut Dialogue<'_>, over: &Opening) -> Outcome {
    dialogue.set(over)?;
    let search = dialogue.go("depth 2")?;
    let has_error = search.error.is_some();
    let found = search.answered()?;
    ensure!(
        found.code == "none",
        "plays {} in a finished game: expected bestmove none",
        excerpt(&found.code)
    );
    if !has_error {
        return Err(warning!("searches a finished game without info error"));
    }
    pass()
}
