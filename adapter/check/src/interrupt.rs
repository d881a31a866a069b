//! Steps: `stop`, `infinite`, pondering, and commands during a search.

use std::time::{Duration, Instant};

use protocol::text::excerpt;
use protocol::{Command, Reply};
use record::opening::Opening;

use crate::case::Case;
use crate::dialogue::{Dialogue, PAUSE};
use crate::output_line::OutputLine;
use crate::ready::snapshot;
use crate::report::{Finding, Outcome, ensure, fail, pass, skip, warn};
use crate::search::Found;
use crate::timing::N_SERIES;

const N_STOPS: usize = 5;
/// Limits of the stop latency. It is normally a few milliseconds, but longer on a busy machine.
const SLOW: Duration = Duration::from_millis(100);
const TOO_SLOW: Duration = Duration::from_millis(1000);

/// `stop` ends a search immediately; the latency is measured.
pub(super) fn stop(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    let opening = case.opening(dialogue, 2, 40)?;
    let mut finding = skip("not measured");
    for _ in 0..N_SERIES {
        let mut latencies = (0..N_STOPS)
            .map(|_| latency(case, dialogue, &opening))
            .collect::<Result<Vec<_>, _>>()?;
        latencies.sort_unstable();
        let (least, most) = (millis(latencies[0]), millis(latencies[N_STOPS - 1]));
        let text = format!("bestmove {least:.1} to {most:.1} ms after stop");
        finding = match latencies[N_STOPS / 2] {
            middle if middle > TOO_SLOW => fail(format!("{text}: expected a few ms")),
            middle if middle > SLOW => warn(format!("{text}: expected a few ms")),
            _ => return Ok(text),
        };
    }
    Err(finding)
}

/// Returns the time from `stop` to `bestmove`.
fn latency(
    case: &Case<'_>,
    dialogue: &mut Dialogue,
    opening: &Opening,
) -> Result<Duration, Finding> {
    dialogue.set(opening)?;
    dialogue.search_until_stop("infinite")?;
    let output = dialogue.receive_for(PAUSE / 4);
    ensure(!output.iter().any(OutputLine::is_best_move), || {
        "bestmove before stop".to_owned()
    })?;
    let found = dialogue.stop()?;
    case.ensure_legal(dialogue, opening, &found.code)?;
    Ok(found.elapsed)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// `go infinite` sends no `bestmove` before `stop`, even if the search is complete.
pub(super) fn infinite(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    let start = Opening::default();
    for opening in [start, nearly_over(case)] {
        for limits in ["infinite", ""] {
            dialogue.set(&opening)?;
            dialogue.search_until_stop(limits)?;
            ensure_no_bestmove(dialogue, "stop")?;
            let found = dialogue.stop()?;
            case.ensure_legal(dialogue, &opening, &found.code)?;
        }
    }
    pass()
}

/// Returns a position one move before the end of a game, where the search is small; the start position without rules.
fn nearly_over(case: &Case<'_>) -> Opening {
    let ends = case.near_ends(1, 41);
    ends.into_iter().next().unwrap_or_default()
}

/// Fails if a `bestmove` arrives early.
fn ensure_no_bestmove(dialogue: &mut Dialogue, until: &str) -> Result<(), Finding> {
    let output = dialogue.receive_for(PAUSE);
    let early = output.iter().find(|output| output.is_best_move());
    ensure(early.is_none(), || format!("bestmove before {until}"))
}

/// A query during a search is answered after it or by an error. Commands do not disturb the search.
pub(super) fn commands_in_search(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    let opening = case.set_random(dialogue, 2, 42)?;
    dialogue.search_until_stop("infinite")?;
    let mut output = dialogue.ask("query p1turn\nxyzzy")?;
    output.extend(dialogue.receive_for(PAUSE));
    ensure(!output.iter().any(OutputLine::is_best_move), || {
        "bestmove before stop: commands during the search end it".to_owned()
    })?;
    let found = dialogue.stop()?;
    let after = dialogue.receive_for(PAUSE);
    ensure(!after.iter().any(OutputLine::is_best_move), || {
        "a second bestmove comes after stop".to_owned()
    })?;
    case.ensure_legal(dialogue, &opening, &found.code)?;
    output.extend(after);
    let is_answer = |output: &&OutputLine| {
        output.error().is_some() || matches!(output.reply, Some(Reply::Response(_)))
    };
    match output.iter().filter(is_answer).count() {
        0 | 1 => Err(warn(
            "a query and an unknown command during a search: expected an answer or info error for each",
        )),
        _ => pass(),
    }
}

/// Lines sent together with `stop` are processed after the `bestmove`.
pub(super) fn lines_after_stop(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    let next = case.set_random(dialogue, 3, 44)?;
    let expected = snapshot(case, dialogue)?;
    let first = Opening::default();
    dialogue.set(&first)?;
    dialogue.search_until_stop("infinite")?;
    let asked = dialogue.send(&format!("stop\nposition {next}\ngo depth 1"))?;
    let stopped = dialogue.await_best(asked, dialogue.ping())?.answered()?;
    let actual = second_answer(dialogue, asked + dialogue.ping());
    let is_new_position = snapshot(case, dialogue)? == expected;
    case.ensure_legal(dialogue, &first, &stopped.code)?;
    let instead = match actual {
        Some(output) if output.is_best_move() && is_new_position => return pass(),
        Some(output) if !output.is_best_move() => output.line,
        Some(_) => "the bestmove of the previous position".to_owned(),
        None => "no bestmove".to_owned(),
    };
    Err(warn(format!(
        "position and go sent together with stop: {}, expected the bestmove of the new position",
        excerpt(&instead)
    )))
}

/// The next `bestmove` or error.
fn second_answer(dialogue: &mut Dialogue, deadline: Instant) -> Option<OutputLine> {
    loop {
        let output = dialogue.receive_line("bestmove", deadline).ok()?;
        if output.is_best_move() || output.error().is_some() {
            return Some(output);
        }
    }
}

/// A pondering search sends no `bestmove` until `ponderhit` or `stop`.
pub(super) fn ponder(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    if !case.declares("Ponder") {
        return Err(skip("declares no option Ponder"));
    }
    let opening = case.opening(dialogue, 2, 43)?;
    dialogue.ask("setoption name Ponder value true")?;
    let first = pondered(dialogue, &opening)?;
    let hit = dialogue.command(&Command::PonderHit)?;
    let found = dialogue.await_best(hit, dialogue.ping())?.answered()?;
    ensure_both_legal(case, dialogue, &opening, &found)?;
    pondered(dialogue, &opening)?;
    let missed = dialogue.stop()?;
    ensure_both_legal(case, dialogue, &opening, &missed)?;
    at_rest(dialogue)?;
    Ok(format!(
        "held for {} ms, then {} ms after ponderhit",
        first.as_millis(),
        found.elapsed.as_millis()
    ))
}

/// Starts pondering and waits longer than the clock allows. Returns the duration of the wait.
fn pondered(dialogue: &mut Dialogue, opening: &Opening) -> Result<Duration, Finding> {
    dialogue.set(opening)?;
    let clock = dialogue.clock(100, 100, 0);
    let started_at = Instant::now();
    dialogue.search_until_stop(&format!("ponder {clock}"))?;
    ensure_no_bestmove(dialogue, "ponderhit")?;
    Ok(started_at.elapsed())
}

/// Fails if the move or the ponder move is illegal.
fn ensure_both_legal(
    case: &Case<'_>,
    dialogue: &mut Dialogue,
    opening: &Opening,
    found: &Found,
) -> Result<(), Finding> {
    case.ensure_legal(dialogue, opening, &found.code)?;
    let Some(expected) = &found.ponder else {
        return Ok(());
    };
    let mut next = opening.clone();
    next.moves.push(found.code.clone());
    case.ensure_legal(dialogue, &next, expected)
}

/// `ponderhit` without pondering is an error and starts no search.
fn at_rest(dialogue: &mut Dialogue) -> Result<(), Finding> {
    let output = dialogue.ask("ponderhit")?;
    let wrong = output
        .iter()
        .find(|output| !matches!(output.reply, Some(Reply::Error(_))));
    ensure(wrong.is_none(), || {
        let wrong = wrong
            .map(|output| excerpt(&output.line))
            .unwrap_or_default();
        format!("answers ponderhit without a search with \"{wrong}\"")
    })
}
