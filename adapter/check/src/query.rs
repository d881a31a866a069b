//! Steps: answers about a position from `query`, `go perft` and `d`.

use std::collections::HashSet;
use std::time::Instant;

use referee::arbiter::is_same;

use crate::prelude::*;
use crate::search::has_fields;

/// A query that a client without rules needs is answered by `response` and one of the words.
pub(super) fn one_of(dialogue: &mut Dialogue<'_>, query: &str) -> Outcome {
    let (word, allowed) = query.split_once(' ').unwrap_or((query, ""));
    let mut output = dialogue.ask(&format!("query {word}"))?;
    output.retain(|output| matches!(output.reply, Some(Reply::Response(_))));
    let [OutputLine { line, .. }] = output.as_slice() else {
        return Err(match (output.len(), dialogue.case.rules()) {
            (0, Ok(_)) => {
                warning!("does not answer query {word}: a client without the rules needs it")
            }
            (0, Err(_)) => fail!("does not answer query {word}"),
            (n, _) => fail!("answers query {word} {n} times"),
        });
    };
    let answer = line.strip_prefix("response ").unwrap_or_default();
    ensure!(
        allowed.split(", ").any(|allowed| allowed == answer),
        "answers query {word} with \"{}\": expected response and {allowed}",
        excerpt(line)
    );
    pass()
}

/// The listed moves can be played, and none is listed twice.
pub(super) fn listed_moves(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.case.needs(Query::Moves)?;
    let opening = dialogue.set_random(2, 6)?;
    let answer = dialogue.query(Query::Moves)?.unwrap_or_default();
    let codes: Vec<&str> = answer.split_whitespace().collect();
    ensure!(
        !codes.is_empty(),
        "lists no move although the game is not over"
    );
    let distinct: HashSet<&&str> = codes.iter().collect();
    ensure!(distinct.len() == codes.len(), "lists a move twice");
    for code in &codes {
        dialogue.set(&opening.clone().with(code))?;
    }
    Ok(format!("{} moves", codes.len()))
}

/// The counts of `go perft` are consistent.
pub(super) fn perft(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.set_random(1, 12)?;
    let shares = divide(dialogue, 1)?;
    ensure!(
        shares.iter().all(|(_, nodes)| *nodes == 1),
        "go perft 1 counts a number other than 1 after a move"
    );
    let listed: Vec<&str> = shares.iter().map(|(code, _)| code.as_str()).collect();
    if dialogue.case.answers(Query::Moves) {
        let moves = dialogue.query(Query::Moves)?.unwrap_or_default();
        let is_same = moves.split_whitespace().eq(listed.iter().copied());
        ensure!(is_same, "go perft 1 and query moves list different moves");
    }
    let deeper = divide(dialogue, 2)?;
    let is_same = deeper.iter().map(|(code, _)| code).eq(listed);
    ensure!(is_same, "go perft 2 and go perft 1 list different moves");
    let is_bare = divide(dialogue, 0)?.is_empty();
    ensure!(is_bare, "go perft 0 lists moves: expected nodes 1 alone");
    pass()
}

/// Returns the counts of `go perft`, which must add up. Skips the step if the engine does not support it.
pub(super) fn divide(dialogue: &mut Dialogue<'_>, depth: u32) -> Checked<Vec<(String, u64)>> {
    let output = dialogue.count(&format!("go perft {depth}"))?;
    let mut shares = Vec::new();
    let mut total = None;
    for output in &output {
        match &output.reply {
            Some(Reply::Divide { mv, nodes }) => shares.push((mv.clone(), *nodes)),
            Some(Reply::PerftTotal(nodes)) => total = Some(*nodes),
            _ => {}
        }
    }
    if shares.is_empty() && total.is_none() {
        return Err(no_perft(&output));
    }
    let total =
        total.ok_or_else(|| fail!("go perft {depth} does not end with nodes and a number"))?;
    let sum = match depth {
        0 => 1,
        _ => shares.iter().map(|(_, nodes)| nodes).sum(),
    };
    ensure!(
        total == sum,
        "go perft {depth} reports nodes {total}, but its moves add up to {sum}"
    );
    Ok(shares)
}

impl Dialogue<'_> {
    /// Sends lines that end with `go perft` and waits for the end of the counts. Unlike other answers, they may arrive
    /// after the `readyok` of a later `isready`, like those of a search.
    pub(super) fn count(&mut self, lines: &str) -> Checked<Vec<OutputLine>> {
        let mut output = self.ask(lines)?;
        let deadline = Instant::now() + self.ping();
        // An error or a line of a search shows that there will be no counts. The caller judges incomplete output.
        let is_end = |output: &OutputLine| {
            let is_total = matches!(output.reply, Some(Reply::PerftTotal(_)));
            is_total || output.error().is_some() || is_of_search(output)
        };
        while !output.iter().any(is_end)
            && let Ok(next) = self.receive_line("nodes", deadline)
        {
            output.push(next);
        }
        Ok(output)
    }
}

fn is_of_search(output: &OutputLine) -> bool {
    output.is_best_move() || matches!(&output.reply, Some(Reply::Info(info)) if has_fields(info))
}

/// Creates the finding for missing counts: `go perft` is unsupported or treated as a search.
fn no_perft(output: &[OutputLine]) -> Finding {
    let line = |output: &OutputLine| excerpt(&output.line);
    let search = output.iter().find(|output| is_of_search(output));
    match (search, output.first()) {
        (Some(search), _) => warning!(
            "starts a search on go perft, \"{}\": expected counts or info error",
            line(search)
        ),
        (None, Some(first)) => skip!("not supported: {}", line(first)),
        (None, None) => skip!("go perft is not answered"),
    }
}

/// `d` ends with the position string.
pub(super) fn display(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.set_random(2, 13)?;
    // Plain text is allowed here.
    let before = dialogue.case.non_replies.borrow().clone();
    let output = dialogue.ask("d");
    *dialogue.case.non_replies.borrow_mut() = before;
    let output = output?;
    let Some(last) = output.last().filter(|output| output.error().is_none()) else {
        return Err(skip!("does not draw the board"));
    };
    let fen = last.line.strip_prefix("fen: ");
    let line = excerpt(&last.line);
    ensure!(
        fen.is_some(),
        "the last line of a drawn board is \"{line}\": expected fen: and the position string"
    );
    let is_same =
        !dialogue.case.answers(Query::Fen) || dialogue.query(Query::Fen)?.as_deref() == fen;
    ensure!(
        is_same,
        "the drawn board and query fen show different position strings"
    );
    Ok(format!("{} lines", output.len()))
}

/// Queries with the lines that answer them about a position; empty if there is none.
pub(super) type Snapshot = Vec<(Query, String)>;

impl Dialogue<'_> {
    /// The answers to all queries about the current position.
    pub(super) fn snapshot(&mut self) -> Checked<Snapshot> {
        // A drawing may mark the last move, which a position string lacks.
        let asked = self.case.answers.iter();
        let asked = asked.filter(|query| **query != Query::Diagram);
        let lines = asked.clone().map(|query| format!("query {}", query.word()));
        let output = self.ask(&lines.collect::<Vec<_>>().join("\n"))?;
        let mut answers = output.into_iter().filter(OutputLine::is_answer);
        let mut answer = || answers.next().map_or(String::new(), |answer| answer.line);
        Ok(asked.map(|query| (*query, answer())).collect())
    }

    /// The first query whose answer about the current position differs from an earlier one.
    pub(super) fn changed(&mut self, before: &Snapshot) -> Checked<Option<Query>> {
        let now = self.snapshot()?;
        let mut pairs = before.iter().zip(now);
        let changed = pairs.find(|((query, was), (_, is))| !is_same(*query, was, is));
        Ok(changed.map(|((query, _), _)| *query))
    }

    /// Fails with this text if the answers about the current position differ from earlier ones.
    pub(super) fn ensure_same(&mut self, before: &Snapshot, fault: &str) -> Outcome {
        ensure!(self.changed(before)?.is_none(), "{fault}");
        pass()
    }
}
