//! Steps: how the engine ends.

use protocol::text::excerpt;
use protocol::{Command, Reply};

use super::case::Case;
use super::dialogue::{Dialogue, Told};
use super::report::{Finding, Outcome, ensure, fail, pass, warn};
use crate::process::Death;

/// `quit` ends the engine with status 0.
pub(super) fn quit(_: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    dialogue.settle()?;
    dialogue.command(&Command::Quit)?;
    let last_words = ended(dialogue, "quit")?;
    ensure(last_words.is_empty(), || {
        format!("answers quit with \"{}\"", excerpt(&last_words[0].line))
    })?;
    pass()
}

/// `quit` in a search ends that first, with its `bestmove`.
pub(super) fn quit_in_a_search(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    let opening = case.set_out(dialogue, 2, 100)?;
    let listed = case.listed(dialogue, &opening)?;
    dialogue.search_on("infinite")?;
    dialogue.command(&Command::Quit)?;
    let last_words = ended(dialogue, "quit in a search")?;
    let Some(code) = best_move(&last_words) else {
        return Err(warn("ends without the bestmove of its search"));
    };
    case.ensure_listed(listed.as_deref(), &opening, &code)?;
    pass()
}

/// The end of the input ends the engine, and half a line before it is a line.
pub(super) fn end_of_input(_: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    dialogue.settle()?;
    dialogue.send_bytes(b"isready", "isready (without a line break)")?;
    dialogue.close_input();
    let last_words = ended(dialogue, "the end of its input")?;
    let is_ready = last_words
        .iter()
        .any(|told| told.reply == Some(Reply::ReadyOk));
    if !is_ready {
        return Err(warn(
            "half a line at the end of its input is not carried out: expected readyok",
        ));
    }
    pass()
}

/// At the end of the input a search that ends by itself is finished, and one that does not is stopped.
pub(super) fn end_in_a_search(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    for limits in ["depth 2", "infinite"] {
        dialogue.restart(&case.options)?;
        let opening = case.set_out(dialogue, 2, 101)?;
        let listed = case.listed(dialogue, &opening)?;
        dialogue.start_search(limits)?;
        dialogue.close_input();
        let last_words = ended(dialogue, "the end of its input")?;
        if last_words.iter().any(|told| told.error().is_some()) {
            continue;
        }
        let code = best_move(&last_words);
        let code = code.ok_or_else(|| fail(format!("ends without the bestmove of go {limits}")))?;
        case.ensure_listed(listed.as_deref(), &opening, &code)?;
    }
    pass()
}

/// What the engine said before it ended with status 0.
fn ended(dialogue: &mut Dialogue, after: &str) -> Result<Vec<Told>, Finding> {
    let (death, last_words) = dialogue.await_end(dialogue.ping(), after)?;
    ensure(death == Death::Exited(0), || {
        format!("{death} after {after}: expected status 0")
    })?;
    Ok(last_words)
}

fn best_move(told: &[Told]) -> Option<String> {
    told.iter().find_map(|told| match &told.reply {
        Some(Reply::BestMove { mv, .. }) => Some(mv.clone()),
        _ => None,
    })
}
