//! Steps: time limits are respected; the overrun is measured.

use std::time::Duration;

use kit::Side;
use record::clock::Limit;

use crate::limits::answer;
use crate::prelude::*;

/// Number of measurements in a series, which is judged by the median, and number of series before the step fails. A
/// busy machine causes single overruns; an engine that mismanages its time overruns in every series.
const N_MEASURED: usize = 5;
pub(super) const N_SERIES: usize = 3;

/// The engine respects `movetime`.
pub(super) fn move_time(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(2, 22)?;
    let limit = Limit::MoveTime(Duration::from_millis(100));
    measured(dialogue, &opening, limit.default_margin_ms(), |_, _| {
        ("movetime 100".to_owned(), 100)
    })
}

/// The engine respects the clock of player 1, with and without an increment or moves to go.
pub(super) fn clock(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(2, 23)?;
    if is_player_2(dialogue, &opening)? {
        return Err(skip!("player 1 is not to move after two moves"));
    }
    measured(dialogue, &opening, 0, |dialogue, round| {
        let (ms, inc_ms, more) = [(400, 0, ""), (200, 20, ""), (300, 0, " movestogo 1")][round % 3];
        (dialogue.clock(ms, 60_000, inc_ms) + more, ms)
    })
}

/// After one move the engine uses player 2's clock.
pub(super) fn clock_of_player_2(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(1, 24)?;
    if !is_player_2(dialogue, &opening)? {
        return Err(skip!("player 2 is not to move after one move"));
    }
    measured(dialogue, &opening, 0, |dialogue, _| {
        (dialogue.clock(60_000, 300, 0), 300)
    })
}

fn is_player_2(dialogue: &mut Dialogue<'_>, opening: &Opening) -> Checked<bool> {
    if let Ok(rules) = dialogue.case.rules() {
        return Ok(board(rules, opening).side() == Side::P2);
    }
    dialogue.set(opening)?;
    let is_player_1 = match dialogue.query(Query::P1Turn)? {
        Some(answer) => answer == "true",
        None => opening.moves.len().is_multiple_of(2),
    };
    Ok(!is_player_1)
}

/// Measures overruns in up to `N_SERIES` series, with this margin unless the user sets one. Passes after the first series within the margin.
fn measured(
    dialogue: &mut Dialogue<'_>,
    opening: &Opening,
    default_margin_ms: u64,
    limits: impl Fn(&Dialogue<'_>, usize) -> (String, u64),
) -> Outcome {
    let margin = dialogue.case.subject.margin_ms;
    let margin = margin.unwrap_or(default_margin_ms) as i64;
    let mut finding = skip!("not measured");
    for _ in 0..N_SERIES {
        let mut overruns = measure(dialogue, opening, &limits)?;
        overruns.sort_unstable();
        let (least, most) = (overruns[0].0, overruns[N_MEASURED - 1].0);
        let (middle, words) = &overruns[N_MEASURED / 2];
        let text = format!("overrun {least} to {most} ms, median {middle}");
        if *middle <= margin {
            return Ok(text);
        }
        let lines = [format!("position {opening}"), format!("go {words}")];
        finding = dialogue.shown_by(fail!("{text}: it would lose on time"), lines);
    }
    Err(finding)
}

/// Returns the overrun of each answer in milliseconds, negative if it was in time, with its limits. `limits` returns
/// the limits of a round and the time that they allow in milliseconds.
fn measure(
    dialogue: &mut Dialogue<'_>,
    opening: &Opening,
    limits: impl Fn(&Dialogue<'_>, usize) -> (String, u64),
) -> Checked<Vec<(i64, String)>> {
    (0..N_MEASURED)
        .map(|round| {
            let (words, allowed) = limits(dialogue, round);
            let found = answer(dialogue, opening, &words)?;
            let overrun = found.elapsed.as_millis() as i64 - allowed as i64;
            Ok((overrun, words))
        })
        .collect()
}
