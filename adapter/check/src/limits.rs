//! Steps: limits of depth, nodes and moves are respected, even tight ones. Time limits are tested in `timing`.

use crate::prelude::*;
use crate::search::Found;

const N_NODES: u64 = 10_000;

/// Fails if an `info` reports many more nodes than `N_NODES`.
pub(super) fn ensure_nodes(found: &Found) -> Outcome {
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
    let found = dialogue.go(limits)?;
    dialogue.ensure_legal(opening, &found.code)?;
    Ok(found)
}

/// Only the listed moves are considered. Several moves are requested in turn, so an engine that ignores `searchmoves`
/// fails.
pub(super) fn search_moves(dialogue: &mut Dialogue<'_>) -> Outcome {
    let (opening, mut codes) = position_with_choice(dialogue)?;
    dialogue.rng(29).shuffle(&mut codes);
    for code in codes.iter().take(4) {
        dialogue.set(&opening)?;
        let found = dialogue.try_go(&format!("depth 1 searchmoves {code}"))?;
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

/// In a finished game, `go` is answered by an error and `bestmove none`.
pub(super) fn finished(dialogue: &mut Dialogue<'_>) -> Outcome {
    let over = dialogue.finished()?;
    dialogue.shortened(&over, refuses_to_search)
}

fn refuses_to_search(dialogue: &mut Dialogue<'_>, over: &Opening) -> Outcome {
    dialogue.set(over)?;
    let found = dialogue.go("depth 2")?;
    ensure!(
        found.code == "none",
        "plays {} in a finished game: expected bestmove none",
        excerpt(&found.code)
    );
    if found.error.is_none() {
        return Err(warning!("searches a finished game without info error"));
    }
    pass()
}
