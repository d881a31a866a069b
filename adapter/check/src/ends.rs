//! Steps: the engine exits as specified.

use crate::prelude::*;

/// `quit` ends the engine with exit status 0.
pub(super) fn quit(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.sync()?;
    dialogue.command(&Command::Quit)?;
    silent(&dialogue.await_end("quit")?, "replies to quit with", "")
}

/// `quit` during a search ends the search with a `bestmove`, then the engine.
pub(super) fn quit_in_a_search(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.set_random(2, 100)?;
    let listed = dialogue.listed(&opening)?;
    dialogue.search_until_stop("infinite")?;
    dialogue.command(&Command::Quit)?;
    let code = best_move(&dialogue.await_end("quit in a search")?);
    let code = code.ok_or_else(|| warning!("exits without the bestmove of its search"))?;
    dialogue.ensure_listed(listed.as_deref(), &opening, &code)
}

/// The end of input ends the engine; a last line without a line break is still processed.
pub(super) fn end_of_input(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.sync()?;
    dialogue.send_bytes(b"isready", "isready (without a line break)")?;
    dialogue.close_input();
    let last_output = dialogue.await_end("the end of its input")?;
    let mut replies = last_output.iter().map(|output| &output.reply);
    if !replies.any(|reply| *reply == Some(Reply::ReadyOk)) {
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
        let last_output = dialogue.await_end("the end of its input")?;
        if last_output.iter().any(|output| output.error().is_some()) {
            continue;
        }
        let code = best_move(&last_output);
        let code = code.ok_or_else(|| fail!("exits without the bestmove of go {limits}"))?;
        dialogue.ensure_listed(listed.as_deref(), &opening, &code)?;
    }
    pass()
}

fn best_move(output: &[OutputLine]) -> Option<String> {
    output.iter().find_map(|output| match &output.reply {
        Some(Reply::BestMove { mv, .. }) => Some(mv.clone()),
        _ => None,
    })
}
