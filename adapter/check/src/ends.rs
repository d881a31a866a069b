//! Steps: the engine exits as specified.

use referee::process::Death;

use crate::prelude::*;

/// `quit` ends the engine with exit status 0.
pub(super) fn quit(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.sync()?;
    dialogue.command(&Command::Quit)?;
    let last_output = ended(dialogue, "quit")?;
    ensure!(
        last_output.is_empty(),
        "replies to quit with \"{}\"",
        excerpt(&last_output[0].line)
    );
    pass()
}

/// `quit` during a search ends the search with a `bestmove`, then the engine.
pub(super) fn quit_in_a_search(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.set_random(2, 100)?;
    let listed = dialogue.listed(&opening)?;
    dialogue.search_until_stop("infinite")?;
    dialogue.command(&Command::Quit)?;
    let last_output = ended(dialogue, "quit in a search")?;
    let Some(code) = best_move(&last_output) else {
        return Err(warning!("exits without the bestmove of its search"));
    };
    dialogue.ensure_listed(listed.as_deref(), &opening, &code)?;
    pass()
}

/// The end of input ends the engine; a last line without a line break is still processed.
pub(super) fn end_of_input(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.sync()?;
    dialogue.send_bytes(b"isready", "isready (without a line break)")?;
    dialogue.close_input();
    let last_output = ended(dialogue, "the end of its input")?;
    let is_ready = last_output
        .iter()
        .any(|output| output.reply == Some(Reply::ReadyOk));
    if !is_ready {
        return Err(warning!(
            "an unterminated line at the end of the input is not executed: expected readyok"
        ));
    }
    pass()
}

/// At the end of input, a limited search is completed and an infinite one is stopped.
pub(super) fn end_in_a_search(dialogue: &mut Dialogue<'_>) -> Outcome {
    for limits in ["depth 2", "infinite"] {
        dialogue.restart(&dialogue.case.options)?;
        let opening = dialogue.set_random(2, 101)?;
        let listed = dialogue.listed(&opening)?;
        dialogue.start_search(limits)?;
        dialogue.close_input();
        let last_output = ended(dialogue, "the end of its input")?;
        if last_output.iter().any(|output| output.error().is_some()) {
            continue;
        }
        let code = best_move(&last_output);
        let code = code.ok_or_else(|| fail!("exits without the bestmove of go {limits}"))?;
        dialogue.ensure_listed(listed.as_deref(), &opening, &code)?;
    }
    pass()
}

/// Waits for exit status 0. Returns the output before it.
fn ended(dialogue: &mut Dialogue<'_>, after: &str) -> Checked<Vec<OutputLine>> {
    let (death, last_output) = dialogue.await_end(dialogue.ping(), after)?;
    ensure!(
        death == Death::Exited(0),
        "{death} after {after}: expected status 0"
    );
    Ok(last_output)
}

fn best_move(output: &[OutputLine]) -> Option<String> {
    output.iter().find_map(|output| match &output.reply {
        Some(Reply::BestMove { mv, .. }) => Some(mv.clone()),
        _ => None,
    })
}
