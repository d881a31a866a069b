//! Steps: `bestmove` and `info` lines are well formed and correct.

use std::collections::HashSet;

use protocol::Info;
use referee::analysis::score_order;

use crate::case::Case;
use crate::prelude::*;
use crate::search::{Found, has_fields};

/// Tolerance for the `time` of an `info`.
const CLOCK_GRAIN_MS: u128 = 50;

/// The last `info` before `bestmove` has `nodes`, `time` and `nps`, and its time does not exceed that of the search.
pub(super) fn final_info(found: &Found, limits: &str) -> Outcome {
    let last = found.infos.iter().rfind(|info| has_fields(info));
    let info = last.ok_or_else(|| skip!("sends no info"))?;
    let lacking = match info {
        Info { nodes: None, .. } => "nodes",
        Info { time: None, .. } => "time",
        Info { nps: None, .. } => "nps",
        _ => "",
    };
    ensure!(
        lacking.is_empty(),
        "the last info before bestmove lacks {lacking}, after go {limits}"
    );
    let reported = info.time.unwrap_or_default().as_millis();
    let elapsed = found.elapsed.as_millis();
    ensure!(
        reported <= elapsed + CLOCK_GRAIN_MS,
        "the last info reports time {reported}, but bestmove came {elapsed} ms after go"
    );
    let nodes = found.infos.iter().map(|info| info.nodes);
    ensure!(
        nodes.is_sorted_by(|earlier, later| later.is_none() || later >= earlier),
        "nodes decrease from one info to the next"
    );
    pass()
}

/// The moves of each principal variation are legal in sequence.
pub(super) fn variations(dialogue: &mut Dialogue<'_>) -> Outcome {
    let mut n_lines = 0;
    for salt in 0..6 {
        let opening = dialogue.opening(2 * salt as usize, 60 + salt)?;
        let found = dialogue.search(&opening, "nodes 3000")?;
        let lines = found.infos.iter().filter(|info| !info.pv.is_empty());
        // Without rules, the engine itself has to play the line. This is slow, so only the last line is tested.
        let n_skipped = match dialogue.case.rules() {
            Ok(_) => 0,
            Err(_) => lines.clone().count().saturating_sub(1),
        };
        for info in lines.skip(n_skipped) {
            ensure_playable(dialogue, &opening, &info.pv)?;
            n_lines += 1;
        }
    }
    skip_unless!(n_lines > 0, "sends no pv");
    Ok(format!("{n_lines} lines"))
}

fn ensure_playable(dialogue: &mut Dialogue<'_>, opening: &Opening, pv: &[String]) -> Checked<()> {
    let mut line = opening.clone();
    line.moves.extend_from_slice(pv);
    let Ok(rules) = dialogue.case.rules() else {
        return dialogue.set(&line);
    };
    let pv = excerpt(&pv.join(" "));
    let unplayable = |why| fail!("pv {pv} cannot be played after position {opening}: {why}");
    rules.open(&line).map(drop).map_err(unplayable)
}

/// With `MultiPV` 3, the ranks are complete, have different first moves, and are ordered by score.
pub(super) fn ranks(case: &Case<'_>, opening: &Opening, found: &Found) -> Outcome {
    let n_moves = |rules| board(rules, opening).moves().len();
    let n_ranks = case.rules().map_or(1, n_moves).min(3);
    let rank = |info: &Info| info.multipv.unwrap_or(1) as usize;
    let infos = found.infos.iter().filter(|info| !info.pv.is_empty());
    let infos: Vec<&Info> = infos.collect();
    let first = infos.iter().rposition(|info| rank(info) == 1);
    let first = first.ok_or_else(|| fail!("no info contains the best line"))?;
    let ranked = &infos[first..];
    let ranks: Vec<usize> = ranked.iter().map(|info| rank(info)).collect();
    ensure!(
        ranks.iter().copied().eq(1..=ranks.len()) && ranks.len() >= n_ranks,
        "the last lines have the ranks {ranks:?}: expected 1 to {n_ranks}"
    );
    let mut codes = HashSet::new();
    for code in ranked.iter().map(|info| &info.pv[0]) {
        ensure!(codes.insert(code), "two ranks start with {code}");
    }
    let scores = ranked.iter().filter_map(|info| info.score);
    let values = scores.map(|score| score_order(score.into()));
    ensure!(
        values.is_sorted_by(|better, worse| better >= worse),
        "a lower rank has a higher score"
    );
    let (code, best) = (&found.code, &ranked[0].pv[0]);
    ensure!(best == code, "plays {code}, but rank 1 is {best}");
    pass()
}
