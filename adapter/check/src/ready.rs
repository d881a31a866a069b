//! Steps: `isready`, `uginewgame`, and lines that require no answer.

use protocol::{Command, Query};
use record::opening::Opening;

use crate::case::Case;
use crate::dialogue::{Dialogue, PAUSE};
use crate::report::{Outcome, ensure, pass};

/// Outside a search, `isready` is answered by `readyok` alone, each time.
pub(super) fn at_rest(_: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    for _ in 0..3 {
        let output = dialogue.sync()?;
        ensure(output.is_empty(), || {
            format!("says \"{}\" before readyok", output[0].line)
        })?;
    }
    let more = dialogue.receive_for(PAUSE);
    ensure(more.is_empty(), || {
        format!("says \"{}\" after readyok", more[0].line)
    })?;
    pass()
}

/// During a search, `isready` is answered immediately and the search continues.
pub(super) fn in_a_search(_: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    dialogue.search_until_stop("infinite")?;
    for _ in 0..3 {
        let output = dialogue.sync()?;
        ensure(!output.iter().any(|output| output.is_best_move()), || {
            "isready ends the search".to_owned()
        })?;
    }
    dialogue.stop()?;
    pass()
}

/// `uginewgame` sets the start position, which is also the position before any command.
pub(super) fn new_game(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    let before = snapshot(case, dialogue)?;
    dialogue.set(&Opening::default())?;
    let start = snapshot(case, dialogue)?;
    // Options take effect only from the first `position` line on.
    ensure(before == start || !case.options.is_empty(), || {
        "the position before any position line is not startpos".to_owned()
    })?;
    case.set_random(dialogue, 1, 2)?;
    dialogue.command(&Command::NewGame)?;
    let output = dialogue.sync()?;
    ensure(output.is_empty(), || {
        format!("answers uginewgame with \"{}\"", output[0].line)
    })?;
    ensure(snapshot(case, dialogue)? == start, || {
        "the position after uginewgame is not startpos".to_owned()
    })?;
    pass()
}

/// The answers to all queries about the current position.
pub(super) fn snapshot(
    case: &Case<'_>,
    dialogue: &mut Dialogue,
) -> Result<Vec<Option<String>>, crate::report::Finding> {
    let asked = Query::ALL.into_iter().filter(|query| case.answers(*query));
    asked.map(|query| dialogue.query(query)).collect()
}

/// `stop` without a search and blank lines are not answered.
pub(super) fn stop_at_rest(_: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    let mut output = dialogue.ask("stop\n\n   \nstop")?;
    output.extend(dialogue.receive_for(PAUSE));
    ensure(output.is_empty(), || {
        format!("answers stop or an empty line with \"{}\"", output[0].line)
    })?;
    pass()
}
