//! Steps: `isready`, `uginewgame`, and lines that require no answer.

use crate::prelude::*;

/// Outside a search, `isready` is answered by `readyok` alone, each time.
pub(super) fn at_rest(dialogue: &mut Dialogue<'_>) -> Outcome {
    for _ in 0..3 {
        silent(&dialogue.sync()?, "says", " before readyok")?;
    }
    silent(&dialogue.receive_for(PAUSE), "says", " after readyok")
}

/// During a search, `isready` is answered immediately and the search continues.
pub(super) fn in_a_search(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.search_until_stop("infinite")?;
    for _ in 0..3 {
        no_best_move(&dialogue.sync()?, "isready ends the search")?;
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
    let before = dialogue.snapshot()?;
    dialogue.set(&Opening::default())?;
    let start = dialogue.snapshot()?;
    // Options take effect only from the first `position` line on.
    ensure!(
        before == start || !dialogue.case.options.is_empty(),
        "the position before any position line is not startpos"
    );
    dialogue.set_random(1, 2)?;
    dialogue.command(&Command::NewGame)?;
    silent(&dialogue.sync()?, "answers uginewgame with", "")?;
    dialogue.ensure_same(&start, "the position after uginewgame is not startpos")
}

impl Dialogue<'_> {
    /// The answers to all queries about the current position.
    pub(super) fn snapshot(&mut self) -> Checked<Vec<Option<String>>> {
        // A drawing may mark the last move, which a position string lacks.
        let asked = self.case.answers.iter();
        let asked = asked.filter(|query| **query != Query::Diagram);
        asked.map(|query| self.query(*query)).collect()
    }

    /// Fails with this text if the answers about the current position differ from earlier ones.
    pub(super) fn ensure_same(&mut self, before: &[Option<String>], fault: &str) -> Outcome {
        ensure!(self.snapshot()? == before, "{fault}");
        pass()
    }
}

/// `stop` without a search and blank lines are not answered.
pub(super) fn stop_at_rest(dialogue: &mut Dialogue<'_>) -> Outcome {
    let mut output = dialogue.ask("stop\n\n   \nstop")?;
    output.extend(dialogue.receive_for(PAUSE));
    silent(&output, "answers stop or an empty line with", "")
}
