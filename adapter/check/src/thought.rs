//! Steps: `bestmove` and `info` lines are well formed and correct.

use protocol::{Info, Score};

use crate::prelude::*;
use crate::search::{Found, has_fields};

/// Tolerance for the `time` of an `info`.
const CLOCK_GRAIN_MS: u128 = 50;

/// `bestmove` is exactly two words while `Ponder` is off.
pub(super) fn two_words(dialogue: &mut Dialogue<'_>) -> Outcome {
    for plies in 0..4 {
        let opening = dialogue.set_random(plies, 50)?;
        let found = dialogue.go("depth 2")?.answered()?;
        dialogue.ensure_legal(&opening, &found.code)?;
        ensure!(
            found.line == format!("bestmove {}", found.code),
            "\"{}\": expected bestmove and one word, split by one space",
            excerpt(&found.line)
        );
    }
    pass()
}

/// The last `info` before `bestmove` has `nodes`, `time` and `nps`, and its time does not exceed that of the search.
pub(super) fn final_info(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(2, 51)?;
    for limits in ["depth 2", "movetime 50", "nodes 1"] {
        let found = search(dialogue, &opening, limits)?;
        let Some(info) = found.last_info() else {
            return Err(skip!("sends no info"));
        };
        for (word, is_there) in [
            ("nodes", info.nodes.is_some()),
            ("time", info.time.is_some()),
            ("nps", info.nps.is_some()),
        ] {
            ensure!(
                is_there,
                "the last info before bestmove lacks {word}, after go {limits}"
            );
        }
        let reported = info.time.unwrap_or_default().as_millis();
        let elapsed = found.elapsed.as_millis();
        ensure!(
            reported <= elapsed + CLOCK_GRAIN_MS,
            "the last info reports time {reported}, but bestmove came {elapsed} ms after go"
        );
        let wrong = found
            .infos
            .windows(2)
            .find(|pair| goes_back(&pair[0], &pair[1]));
        ensure!(wrong.is_none(), "nodes decrease from one info to the next");
    }
    pass()
}

fn goes_back(earlier: &Info, later: &Info) -> bool {
    matches!((earlier.nodes, later.nodes), (Some(earlier), Some(later)) if later < earlier)
}

fn search(dialogue: &mut Dialogue<'_>, opening: &Opening, limits: &str) -> Checked<Found> {
    dialogue.set(opening)?;
    dialogue.go(limits)?.answered()
}

/// The moves of each principal variation are legal in sequence.
pub(super) fn variations(dialogue: &mut Dialogue<'_>) -> Outcome {
    let mut n_lines = 0;
    for salt in 0..6 {
        let opening = dialogue.opening(2 * salt as usize, 60 + salt)?;
        let found = search(dialogue, &opening, "nodes 3000")?;
        let lines: Vec<&Info> = found
            .infos
            .iter()
            .filter(|info| !info.pv.is_empty())
            .collect();
        // Without rules, the engine itself has to play the line. This is slow, so only the last line is tested.
        let judged = if dialogue.case.rules().is_ok() {
            &lines[..]
        } else {
            &lines[lines.len().saturating_sub(1)..]
        };
        for info in judged {
            ensure_playable(dialogue, &opening, &info.pv)?;
            n_lines += 1;
        }
    }
    if n_lines == 0 {
        return Err(skip!("sends no pv"));
    }
    Ok(format!("{n_lines} lines"))
}

fn ensure_playable(dialogue: &mut Dialogue<'_>, opening: &Opening, pv: &[String]) -> Checked<()> {
    let line = pv
        .iter()
        .fold(opening.clone(), |line, code| line.with(code));
    let Ok(rules) = dialogue.case.rules() else {
        return dialogue.set(&line);
    };
    match rules.open(&line) {
        Ok(_) => Ok(()),
        Err(why) => {
            let pv = excerpt(&pv.join(" "));
            Err(fail!(
                "pv {pv} cannot be played after position {opening}: {why}"
            ))
        }
    }
}

/// With `MultiPV`, the ranks are complete, have different first moves, and are ordered by score.
pub(super) fn multi_pv(dialogue: &mut Dialogue<'_>) -> Outcome {
    if !dialogue.case.declares("MultiPV") {
        return Err(skip!("declares no option MultiPV"));
    }
    dialogue.ask("setoption name MultiPV value 3")?;
    for salt in 0..3 {
        let opening = dialogue.opening(2, 70 + salt)?;
        let found = search(dialogue, &opening, "depth 3")?;
        let rules = dialogue.case.rules();
        let n_moves = rules.map_or(1, |rules| board(rules, &opening).moves().len());
        ensure_ranked(&found, n_moves.min(3))?;
    }
    pass()
}

fn ensure_ranked(found: &Found, n_ranks: usize) -> Checked<()> {
    let infos: Vec<&Info> = found
        .infos
        .iter()
        .filter(|info| has_fields(info) && !info.pv.is_empty())
        .collect();
    let first = infos
        .iter()
        .rposition(|info| info.multipv.unwrap_or(1) == 1);
    let first = first.ok_or_else(|| fail!("no info contains the best line"))?;
    let ranked = &infos[first..];
    let ranks: Vec<usize> = ranked
        .iter()
        .map(|info| info.multipv.unwrap_or(1) as usize)
        .collect();
    ensure!(
        ranks.iter().copied().eq(1..=ranks.len()) && ranks.len() >= n_ranks,
        "the last lines have the ranks {ranks:?}: expected 1 to {n_ranks}"
    );
    for (index, info) in ranked.iter().enumerate() {
        ensure!(
            ranked[..index]
                .iter()
                .all(|better| better.pv[0] != info.pv[0]),
            "two ranks start with {}",
            info.pv[0]
        );
    }
    let values: Vec<i64> = ranked
        .iter()
        .filter_map(|info| info.score.map(value))
        .collect();
    ensure!(
        values.is_sorted_by(|better, worse| better >= worse),
        "a lower rank has a higher score"
    );
    ensure!(
        ranked[0].pv[0] == found.code,
        "plays {}, but rank 1 is {}",
        found.code,
        ranked[0].pv[0]
    );
    Ok(())
}

/// Maps a score to a number that is greater for a better score.
fn value(score: Score) -> i64 {
    const MATE: i64 = 1 << 40;
    match score {
        Score::Cp(cp) => i64::from(cp),
        Score::Mate(n) if n > 0 => MATE - i64::from(n),
        Score::Mate(n) => -MATE - i64::from(n),
        Score::Draw => 0,
    }
}
