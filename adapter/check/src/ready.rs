//! Steps: `isready`, `uginewgame`, and lines that require no answer.

use crate::prelude::*;

/// Outside a search, `isready` is answered by `readyok` alone, each time.
pub(super) fn at_rest(dialogue: &mut Dialogue<'_>) -> Outcome {
    for _ in 0..3 {
        let output = dialogue.sync()?;
        ensure!(
            output.is_empty(),
            "says \"{}\" before readyok",
            output[0].line
        );
    }
    let more = dialogue.receive_for(PAUSE);
    ensure!(more.is_empty(), "says \"{}\" after readyok", more[0].line);
    pass()
}

/// During a search, `isready` is answered immediately and the search continues.
pub(super) fn in_a_search(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.search_until_stop("infinite")?;
    for _ in 0..3 {
        let output = dialogue.sync()?;
        ensure!(
            !output.iter().any(|output| output.is_best_move()),
            "isready ends the search"
        );
    }
    dialogue.stop()?;
    pass()
}

/// Number of positions in which the order of answers is tested.
const N_ORDERED: u64 = 5;

/// The answer to a query comes before the `readyok` of a later `isready`, also if one write holds both.
pub(super) fn after_answers(dialogue: &mut Dialogue<'_>) -> Outcome {
    let queries = &dialogue.case.answers;
    if queries.is_empty() {
        return Err(skip!("answers no query"));
    }
    for salt in 0..N_ORDERED {
        let opening = dialogue.opening(2, 0x54 + salt)?;
        for query in queries {
            dialogue.forget_position();
            dialogue.ask_at_once(&format!("position {opening}\nquery {}", query.word()))?;
        }
    }
    pass()
}

/// `uginewgame` sets the start position, which is also the position before any command.
pub(super) fn new_game(dialogue: &mut Dialogue<'_>) -> Outcome {
    let before = snapshot(dialogue)?;
    dialogue.set(&Opening::default())?;
    let start = snapshot(dialogue)?;
    // Options take effect only from the first `position` line on.
    ensure!(
        before == start || !dialogue.case.options.is_empty(),
        "the position before any position line is not startpos"
    );
    dialogue.set_random(1, 2)?;
    dialogue.command(&Command::NewGame)?;
    let output = dialogue.sync()?;
    ensure!(
        output.is_empty(),
        "answers uginewgame with \"{}\"",
        output[0].line
    );
    ensure!(
        snapshot(dialogue)? == start,
        "the position after uginewgame is not startpos"
    );
    pass()
}

/// The answers to all queries about the current position.
pub(super) fn snapshot(dialogue: &mut Dialogue<'_>) -> Checked<Vec<Option<String>>> {
    // A drawing may mark the last move, which a position string lacks.
    let asked = dialogue.case.answers.iter();
    let asked = asked.filter(|query| **query != Query::Diagram);
    asked.map(|query| dialogue.query(*query)).collect()
}

/// `stop` without a search and blank lines are not answered.
pub(super) fn stop_at_rest(dialogue: &mut Dialogue<'_>) -> Outcome {
    let mut output = dialogue.ask("stop\n\n   \nstop")?;
    output.extend(dialogue.receive_for(PAUSE));
    ensure!(
        output.is_empty(),
        "answers stop or an empty line with \"{}\"",
        output[0].line
    );
    pass()
}
