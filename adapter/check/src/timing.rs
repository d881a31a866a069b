//! Steps: time limits are respected, and `stop` ends a search; overrun and latency are measured.

use std::time::Duration;

use kit::fen::counted;
use record::clock::Limit;

use crate::prelude::*;

/// Number of measurements in a series, which is judged by the median, and number of series before the step fails. A
/// busy machine causes single overruns; an engine that mismanages its time overruns in every series.
const N_MEASURED: usize = 5;
const N_SERIES: usize = 3;

/// The engine respects `movetime`.
pub(super) fn move_time(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(2, 22)?;
    let limit = Limit::MoveTime(Duration::from_millis(100));
    let limits = [("movetime 100".to_owned(), 100)];
    overruns(dialogue, &opening, limit.default_margin_ms(), &limits)
}

/// After two moves the engine respects the clock of player 1, and after one move that of player 2, with and without an
/// increment or moves to go.
pub(super) fn clock(dialogue: &mut Dialogue<'_>, player: usize) -> Outcome {
    let (is_p1, n_moves) = (player == 1, 3 - player);
    let opening = dialogue.opening(n_moves, 22 + player as u64)?;
    let turn = dialogue.known(&opening, Query::P1Turn)?;
    let is_p1_to_move = turn.map_or(opening.moves.len() % 2 == 0, |is_p1| is_p1 == "true");
    let after = counted(n_moves, "move");
    skip_unless!(
        is_p1_to_move == is_p1,
        "player {player} is not to move after {after}"
    );
    let limits = [(400, 0, ""), (200, 20, ""), (300, 0, " movestogo 1")];
    let limits = limits.map(|(ms, inc, more)| match is_p1 {
        true => (dialogue.clock(ms, 60_000, inc) + more, ms),
        false => (dialogue.clock(60_000, ms, inc) + more, ms),
    });
    overruns(dialogue, &opening, 0, &limits)
}

/// Measures the overrun of answers in milliseconds, negative if they were in time, with this margin unless the user
/// sets one. The rounds use `limits` in turn, each with the time that it allows in milliseconds.
fn overruns(
    dialogue: &mut Dialogue<'_>,
    opening: &Opening,
    default_margin_ms: u64,
    limits: &[(String, u64)],
) -> Outcome {
    let margin = dialogue.case.subject.margin_ms;
    let margin = margin.unwrap_or(default_margin_ms) as i64;
    let overrun = |dialogue: &mut Dialogue<'_>, round: usize| {
        let (words, allowed) = &limits[round % limits.len()];
        let found = dialogue.answer(opening, words)?;
        Ok((found.elapsed.as_millis() as i64 - *allowed as i64, words))
    };
    series(dialogue, overrun, |dialogue, overruns| {
        let [(least, _), .., (most, _)] = overruns;
        let (middle, words) = &overruns[N_MEASURED / 2];
        let text = format!("overrun {least} to {most} ms, median {middle}");
        if *middle <= margin {
            return Ok(text);
        }
        let lines = vec![format!("position {opening}"), format!("go {words}")];
        Err(dialogue.shown_by(fail!("{text}: it would lose on time"), lines))
    })
}

/// Judges up to `N_SERIES` series of measurements, each in ascending order. Passes after the first one that does.
fn series<'a, T: Ord>(
    dialogue: &mut Dialogue<'a>,
    measure: impl Fn(&mut Dialogue<'a>, usize) -> Checked<T>,
    judge: impl Fn(&Dialogue<'a>, &[T; N_MEASURED]) -> Outcome,
) -> Outcome {
    let mut outcome = Err(skip!("not measured"));
    for _ in 0..N_SERIES {
        let measured = (0..N_MEASURED).map(|round| measure(dialogue, round));
        let mut measured = measured.collect::<Checked<Vec<T>>>()?;
        measured.sort_unstable();
        let measured = measured.try_into().ok().expect("N_MEASURED were taken");
        outcome = judge(dialogue, &measured);
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}

/// Limits of the stop latency. It is normally a few milliseconds, but longer on a busy machine.
const SLOW: Duration = Duration::from_millis(100);
const TOO_SLOW: Duration = Duration::from_millis(1000);

/// `stop` ends a search immediately; the latency is measured.
pub(super) fn stop(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(2, 40)?;
    let latency = |dialogue: &mut Dialogue<'_>, _| {
        dialogue.set(&opening)?;
        dialogue.search_until_stop("infinite")?;
        let output = dialogue.receive_for(PAUSE / 4);
        let is_running = !output.iter().any(OutputLine::is_best_move);
        ensure!(is_running, "bestmove before stop");
        let found = dialogue.end_search(&Command::Stop)?;
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
    let actual = dialogue.receive_first(asked + dialogue.ping(), is_answer);
    let is_new_position = dialogue.changed(&expected)?.is_none();
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
