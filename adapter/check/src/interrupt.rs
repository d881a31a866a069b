//! Steps: `stop`, `infinite`, pondering, and commands during a search.

use std::time::{Duration, Instant};

use crate::prelude::*;
use crate::search::Found;
use crate::timing::N_SERIES;

const N_STOPS: usize = 5;
/// Limits of the stop latency. It is normally a few milliseconds, but longer on a busy machine.
const SLOW: Duration = Duration::from_millis(100);
const TOO_SLOW: Duration = Duration::from_millis(1000);

/// `stop` ends a search immediately; the latency is measured.
pub(super) fn stop(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(2, 40)?;
    let mut finding = skip!("not measured");
    for _ in 0..N_SERIES {
        let mut latencies = (0..N_STOPS)
            .map(|_| latency(dialogue, &opening))
            .collect::<Result<Vec<_>, _>>()?;
        latencies.sort_unstable();
        let (least, most) = (millis(latencies[0]), millis(latencies[N_STOPS - 1]));
        let text = format!("bestmove {least:.1} to {most:.1} ms after stop");
        finding = match latencies[N_STOPS / 2] {
            middle if middle > TOO_SLOW => fail!("{text}: expected a few ms"),
            middle if middle > SLOW => warning!("{text}: expected a few ms"),
            _ => return Ok(text),
        };
    }
    Err(finding)
}

/// Returns the time from `stop` to `bestmove`.
fn latency(dialogue: &mut Dialogue<'_>, opening: &Opening) -> Checked<Duration> {
    dialogue.set(opening)?;
    dialogue.search_until_stop("infinite")?;
    let output = dialogue.receive_for(PAUSE / 4);
    ensure_silent(&output, "bestmove before stop")?;
    let found = dialogue.stop()?;
    dialogue.ensure_legal(opening, &found.code)?;
    Ok(found.elapsed)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// `go infinite` sends no `bestmove` before `stop`, even if the search is complete.
pub(super) fn infinite(dialogue: &mut Dialogue<'_>) -> Outcome {
    let start = Opening::default();
    // One move before the end of a game, where the search is small.
    let nearly_over = dialogue.near_ends(1, 41).into_iter().next();
    for opening in [start, nearly_over.unwrap_or_default()] {
        for limits in ["infinite", ""] {
            dialogue.set(&opening)?;
            dialogue.search_until_stop(limits)?;
            ensure_no_bestmove(dialogue, "stop")?;
            let found = dialogue.stop()?;
            dialogue.ensure_legal(&opening, &found.code)?;
        }
    }
    pass()
}

fn ensure_silent(output: &[OutputLine], fault: &str) -> Checked<()> {
    ensure!(!output.iter().any(OutputLine::is_best_move), "{fault}");
    Ok(())
}

/// Fails if a `bestmove` arrives early.
fn ensure_no_bestmove(dialogue: &mut Dialogue<'_>, until: &str) -> Checked<()> {
    ensure_silent(
        &dialogue.receive_for(PAUSE),
        &format!("bestmove before {until}"),
    )
}

/// A query during a search is answered after it or by an error. Commands do not disturb the search.
pub(super) fn commands_in_search(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.set_random(2, 42)?;
    dialogue.search_until_stop("infinite")?;
    let mut output = dialogue.ask("query p1turn\nxyzzy")?;
    output.extend(dialogue.receive_for(PAUSE));
    ensure_silent(
        &output,
        "bestmove before stop: commands during the search end it",
    )?;
    let found = dialogue.stop()?;
    let after = dialogue.receive_for(PAUSE);
    ensure_silent(&after, "a second bestmove comes after stop")?;
    dialogue.ensure_legal(&opening, &found.code)?;
    output.extend(after);
    match output.iter().filter(|output| output.is_answer()).count() {
        0 | 1 => Err(warning!(
            "a query and an unknown command during a search: expected an answer or info error for each"
        )),
        _ => pass(),
    }
}

/// Lines sent together with `stop` are processed after the `bestmove`.
pub(super) fn lines_after_stop(dialogue: &mut Dialogue<'_>) -> Outcome {
    let next = dialogue.set_random(3, 44)?;
    let expected = snapshot(dialogue)?;
    let first = Opening::default();
    dialogue.set(&first)?;
    dialogue.search_until_stop("infinite")?;
    let asked = dialogue.send(&format!("stop\nposition {next}\ngo depth 1"))?;
    let stopped = dialogue.await_best(asked, dialogue.ping())?.answered()?;
    let actual = second_answer(dialogue, asked + dialogue.ping());
    let is_new_position = snapshot(dialogue)? == expected;
    dialogue.ensure_legal(&first, &stopped.code)?;
    let instead = match actual {
        Some(output) if output.is_best_move() && is_new_position => return pass(),
        Some(output) if !output.is_best_move() => output.line,
        Some(_) => "the bestmove of the previous position".to_owned(),
        None => "no bestmove".to_owned(),
    };
    Err(warning!(
        "position and go sent together with stop: {}, expected the bestmove of the new position",
        excerpt(&instead)
    ))
}

/// The next `bestmove` or error.
fn second_answer(dialogue: &mut Dialogue<'_>, deadline: Instant) -> Option<OutputLine> {
    loop {
        let output = dialogue.receive_line("bestmove", deadline).ok()?;
        if output.is_best_move() || output.error().is_some() {
            return Some(output);
        }
    }
}

/// A pondering search sends no `bestmove` until `ponderhit` or `stop`.
pub(super) fn ponder(dialogue: &mut Dialogue<'_>) -> Outcome {
    if !dialogue.case.declares("Ponder") {
        return Err(skip!("declares no option Ponder"));
    }
    let opening = dialogue.opening(2, 43)?;
    dialogue.ask("setoption name Ponder value true")?;
    let first = pondered(dialogue, &opening)?;
    let hit = dialogue.command(&Command::PonderHit)?;
    let found = dialogue.await_best(hit, dialogue.ping())?.answered()?;
    ensure_both_legal(dialogue, &opening, &found)?;
    pondered(dialogue, &opening)?;
    let missed = dialogue.stop()?;
    ensure_both_legal(dialogue, &opening, &missed)?;
    at_rest(dialogue)?;
    Ok(format!(
        "held for {} ms, then {} ms after ponderhit",
        first.as_millis(),
        found.elapsed.as_millis()
    ))
}

/// Starts pondering and waits longer than the clock allows. Returns the duration of the wait.
fn pondered(dialogue: &mut Dialogue<'_>, opening: &Opening) -> Checked<Duration> {
    dialogue.set(opening)?;
    let clock = dialogue.clock(100, 100, 0);
    let started_at = Instant::now();
    dialogue.search_until_stop(&format!("ponder {clock}"))?;
    ensure_no_bestmove(dialogue, "ponderhit")?;
    Ok(started_at.elapsed())
}

/// Fails if the move or the ponder move is illegal.
fn ensure_both_legal(dialogue: &mut Dialogue<'_>, opening: &Opening, found: &Found) -> Checked<()> {
    dialogue.ensure_legal(opening, &found.code)?;
    let Some(expected) = &found.ponder else {
        return Ok(());
    };
    dialogue.ensure_legal(&opening.clone().with(&found.code), expected)
}

/// `ponderhit` without pondering is an error and starts no search.
fn at_rest(dialogue: &mut Dialogue<'_>) -> Checked<()> {
    let output = dialogue.ask("ponderhit")?;
    match output.iter().find(|output| output.error().is_none()) {
        Some(wrong) => {
            let wrong = excerpt(&wrong.line);
            Err(fail!("answers ponderhit without a search with \"{wrong}\""))
        }
        None => Ok(()),
    }
}
