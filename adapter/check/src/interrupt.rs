//! Steps: `stop`, `infinite`, pondering, and commands during a search.

use std::time::{Duration, Instant};

use crate::prelude::*;
use crate::search::Found;
use crate::timing::{N_MEASURED, series};

/// Limits of the stop latency. It is normally a few milliseconds, but longer on a busy machine.
const SLOW: Duration = Duration::from_millis(100);
const TOO_SLOW: Duration = Duration::from_millis(1000);

/// `stop` ends a search immediately; the latency is measured.
pub(super) fn stop(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(2, 40)?;
    let latency = |dialogue: &mut Dialogue<'_>, _| {
        hold(dialogue, &opening, "infinite", PAUSE / 4, "stop")?;
        let found = dialogue.stop()?;
        dialogue.ensure_legal(&opening, &found.code)?;
        Ok(found.elapsed)
    };
    series(dialogue, latency, |_, latencies| {
        let [least, .., most] = latencies.map(|latency| latency.as_secs_f64() * 1000.0);
        let text = format!("bestmove {least:.1} to {most:.1} ms after stop");
        match latencies[N_MEASURED / 2] {
            middle if middle > TOO_SLOW => Err(fail!("{text}: expected a few ms")),
            middle if middle > SLOW => Err(warning!("{text}: expected a few ms")),
            _ => Ok(text),
        }
    })
}

/// Starts a search that must run until a command, and fails if it ends within `time`. Returns the duration of the wait.
fn hold(
    dialogue: &mut Dialogue<'_>,
    opening: &Opening,
    limits: &str,
    time: Duration,
    until: &str,
) -> Checked<Duration> {
    dialogue.set(opening)?;
    let started_at = Instant::now();
    dialogue.search_until_stop(limits)?;
    let output = dialogue.receive_for(time);
    no_best_move(&output, &format!("bestmove before {until}"))?;
    Ok(started_at.elapsed())
}

/// Lines sent together with `stop` are processed after the `bestmove`.
pub(super) fn lines_after_stop(dialogue: &mut Dialogue<'_>) -> Outcome {
    let next = dialogue.set_random(3, 44)?;
    let expected = dialogue.snapshot()?;
    let first = Opening::default();
    dialogue.set(&first)?;
    dialogue.search_until_stop("infinite")?;
    let asked = dialogue.send(&format!("stop\nposition {next}\ngo depth 1"))?;
    let stopped = dialogue.await_best(asked)?;
    let is_answer = |output: &OutputLine| output.is_best_move() || output.error().is_some();
    let actual = dialogue.receive_first("bestmove", asked + dialogue.ping(), is_answer);
    let is_new_position = dialogue.snapshot()? == expected;
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

/// A pondering search sends no `bestmove` until `ponderhit` or `stop`.
pub(super) fn ponder(dialogue: &mut Dialogue<'_>) -> Outcome {
    if !dialogue.case.declares("Ponder") {
        return Err(skip!("declares no option Ponder"));
    }
    let opening = dialogue.opening(2, 43)?;
    dialogue.ask("setoption name Ponder value true")?;
    // The wait is longer than the clock allows.
    let limits = format!("ponder {}", dialogue.clock(100, 100, 0));
    let held = hold(dialogue, &opening, &limits, PAUSE, "ponderhit")?;
    let hit = dialogue.command(&Command::PonderHit)?;
    let found = dialogue.await_best(hit)?;
    ensure_both_legal(dialogue, &opening, &found)?;
    hold(dialogue, &opening, &limits, PAUSE, "ponderhit")?;
    let missed = dialogue.stop()?;
    ensure_both_legal(dialogue, &opening, &missed)?;
    // Without pondering, `ponderhit` is an error and starts no search.
    let output = dialogue.ask("ponderhit")?;
    let others = output.iter().filter(|output| output.error().is_none());
    silent(others, "answers ponderhit without a search with", "")?;
    Ok(format!(
        "held for {} ms, then {} ms after ponderhit",
        held.as_millis(),
        found.elapsed.as_millis()
    ))
}

/// Fails if the move or the ponder move is illegal.
fn ensure_both_legal(dialogue: &mut Dialogue<'_>, opening: &Opening, found: &Found) -> Outcome {
    dialogue.ensure_legal(opening, &found.code)?;
    match &found.ponder {
        Some(expected) => dialogue.ensure_legal(&opening.clone().with(&found.code), expected),
        None => pass(),
    }
}
