//! Steps: the engine exits as specified.

use protocol::text::excerpt;
use protocol::{Command, Reply};
use referee::process::Death;

use crate::case::Case;
use crate::dialogue::Dialogue;
use crate::output_line::OutputLine;
use crate::report::{Finding, Outcome, ensure, fail, pass, warn};

/// `quit` ends the engine with exit status 0.
pub(super) fn quit(_: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    dialogue.sync()?;
    dialogue.command(&Command::Quit)?;
    let last_output = ended(dialogue, "quit")?;
    ensure(last_output.is_empty(), || {
        format!("replies to quit with \"{}\"", excerpt(&last_output[0].line))
    })?;
    pass()
}

/// `quit` during a search ends the search with a `bestmove`, then the engine.
pub(super) fn quit_in_a_search(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    let opening = case.set_random(dialogue, 2, 100)?;
    let listed = case.listed(dialogue, &opening)?;
    dialogue.search_until_stop("infinite")?;
    dialogue.command(&Command::Quit)?;
    let last_output = ended(dialogue, "quit in a search")?;
    let Some(code) = best_move(&last_output) else {
        return Err(warn("exits without the bestmove of its search"));
    };
    case.ensure_listed(listed.as_deref(), &opening, &code)?;
    pass()
}

/// The end of input ends the engine; a last line without a line break is still processed.
pub(super) fn end_of_input(_: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    dialogue.sync()?;
    dialogue.send_bytes(b"isready", "isready (without a line break)")?;
    dialogue.close_input();
    let last_output = ended(dialogue, "the end of its input")?;
    let is_ready = last_output
        .iter()
        .any(|output| output.reply == Some(Reply::ReadyOk));
    if !is_ready {
        return Err(warn(
            "an unterminated line at the end of the input is not executed: expected readyok",
        ));
    }
    pass()
}

/// At the end of input, a limited search is completed and an infinite one is stopped.
pub(super) fn end_in_a_search(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    for limits in ["depth 2", "infinite"] {
        dialogue.restart(&case.options)?;
        let opening = case.set_random(dialogue, 2, 101)?;
        let listed = case.listed(dialogue, &opening)?;
        dialogue.start_search(limits)?;
        dialogue.close_input();
        let last_output = ended(dialogue, "the end of its input")?;
        if last_output.iter().any(|output| output.error().is_some()) {
            continue;
        }
        let code = best_move(&last_output);
        let code =
            code.ok_or_else(|| fail(format!("exits without the bestmove of go {limits}")))?;
        case.ensure_listed(listed.as_deref(), &opening, &code)?;
    }
    pass()
}

/// Waits for exit status 0. Returns the output before it.
fn ended(dialogue: &mut Dialogue, after: &str) -> Result<Vec<OutputLine>, Finding> {
    let (death, last_output) = dialogue.await_end(dialogue.ping(), after)?;
    ensure(death == Death::Exited(0), || {
        format!("{death} after {after}: expected status 0")
    })?;
    Ok(last_output)
}

fn best_move(output: &[OutputLine]) -> Option<String> {
    output.iter().find_map(|output| match &output.reply {
        Some(Reply::BestMove { mv, .. }) => Some(mv.clone()),
        _ => None,
    })
}
