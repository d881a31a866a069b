//! Steps: answers about a position from `query`, `go perft` and `d`.

use std::collections::HashSet;
use std::time::Instant;

use protocol::text::excerpt;
use protocol::{Query, Reply};
use record::opening::Opening;
use referee::arbiter::right_answer;

use crate::case::{Case, board};
use crate::dialogue::Dialogue;
use crate::output_line::OutputLine;
use crate::position::same;
use crate::ready::snapshot;
use crate::report::{Finding, Outcome, ensure, fail, pass, skip, warn};
use crate::search::has_fields;

/// The three queries that UGI requires are answered by `response` and one word.
pub(super) fn queries(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    case.needs_ugi()?;
    for plies in 0..2 {
        let opening = case.set_random(dialogue, plies, 5)?;
        for (query, allowed) in [
            (Query::P1Turn, &["true", "false"][..]),
            (Query::GameOver, &["true", "false"]),
            (Query::Result, &["none", "p1win", "p2win", "draw"]),
        ] {
            let line = raw_response(dialogue, query)?;
            ensure(!line.is_empty(), || {
                format!("does not answer query {}", query.word())
            })?;
            let answer = line.strip_prefix("response ").unwrap_or_default();
            ensure(allowed.contains(&answer), || {
                let word = query.word();
                format!(
                    "answers query {word} with \"{}\": expected response and {}",
                    excerpt(&line),
                    allowed.join(", ")
                )
            })?;
            ensure_true(case, &opening, query, answer)?;
        }
    }
    pass()
}

/// Returns the complete line that answers a query; empty if there is none.
fn raw_response(dialogue: &mut Dialogue, query: Query) -> Result<String, Finding> {
    let output = dialogue.ask(&format!("query {}", query.word()))?;
    let responses: Vec<OutputLine> = output
        .into_iter()
        .filter(|output| matches!(output.reply, Some(Reply::Response(_))))
        .collect();
    ensure(responses.len() <= 1, || {
        format!("answers query {} {} times", query.word(), responses.len())
    })?;
    Ok(responses
        .into_iter()
        .next()
        .map(|output| output.line)
        .unwrap_or_default())
}

fn ensure_true(
    case: &Case<'_>,
    opening: &Opening,
    query: Query,
    answer: &str,
) -> Result<(), Finding> {
    let Ok(rules) = case.rules() else {
        return Ok(());
    };
    let right = right_answer(&*board(rules, opening), query).unwrap_or_default();
    ensure(answer == right, || {
        format!(
            "answers query {} with {answer} where the rules say {right}",
            query.word()
        )
    })
}

/// The listed moves can be played, and none is listed twice.
pub(super) fn listed_moves(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    case.needs(Query::Moves)?;
    let opening = case.set_random(dialogue, 2, 6)?;
    let answer = dialogue.query(Query::Moves)?.unwrap_or_default();
    let codes: Vec<&str> = answer.split_whitespace().collect();
    ensure(!codes.is_empty(), || {
        "lists no move although the game is not over".to_owned()
    })?;
    let distinct: HashSet<&&str> = codes.iter().collect();
    ensure(distinct.len() == codes.len(), || {
        "lists a move twice".to_owned()
    })?;
    for code in &codes {
        let mut next = opening.clone();
        next.moves.push((*code).to_owned());
        dialogue.set(&next)?;
    }
    Ok(format!("{} moves", codes.len()))
}

/// The engine accepts the position strings that it writes.
pub(super) fn position_string(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    case.needs(Query::Fen)?;
    for salt in 0..4 {
        case.set_random(dialogue, 2 + 3 * salt as usize, 7 + salt)?;
        let before = snapshot(case, dialogue)?;
        let fen = dialogue.query(Query::Fen)?.unwrap_or_default();
        same(case, dialogue, &format!("position fen {fen}"), &before)?;
    }
    pass()
}

/// `query game` names the game under test.
pub(super) fn game(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    case.needs(Query::Game)?;
    dialogue.command(&protocol::Command::NewGame)?;
    let answer = dialogue.query(Query::Game)?.unwrap_or_default();
    ensure(!answer.is_empty(), || {
        "answers query game with an empty text".to_owned()
    })?;
    let Ok(rules) = case.rules() else {
        return Ok(answer);
    };
    let expected = format!("{} {}", rules.entry().name, rules.start().shape());
    ensure(answer == expected.trim_end(), || {
        format!(
            "answers query game with \"{}\": expected {expected}",
            excerpt(&answer)
        )
    })?;
    Ok(answer)
}

/// The counts of `go perft` are consistent.
pub(super) fn perft(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    case.set_random(dialogue, 1, 12)?;
    let shares = divide(dialogue, 1)?;
    ensure(shares.iter().all(|(_, nodes)| *nodes == 1), || {
        "go perft 1 counts a number other than 1 after a move".to_owned()
    })?;
    if case.answers(Query::Moves) {
        let listed = dialogue.query(Query::Moves)?.unwrap_or_default();
        ensure(
            listed
                .split_whitespace()
                .eq(shares.iter().map(|(code, _)| code)),
            || "go perft 1 and query moves list different moves".to_owned(),
        )?;
    }
    let below = divide(dialogue, 2)?;
    ensure(
        below
            .iter()
            .map(|(code, _)| code)
            .eq(shares.iter().map(|(code, _)| code)),
        || "go perft 2 and go perft 1 list different moves".to_owned(),
    )?;
    let none = divide(dialogue, 0)?;
    ensure(none.is_empty(), || {
        "go perft 0 lists moves: expected nodes 1 alone".to_owned()
    })?;
    pass()
}

/// Returns the counts of `go perft`, which must add up. Skips the step if the engine does not support it.
pub(super) fn divide(dialogue: &mut Dialogue, depth: u32) -> Result<Vec<(String, u64)>, Finding> {
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
    let total = total.ok_or_else(|| {
        fail(format!(
            "go perft {depth} does not end with nodes and a number"
        ))
    })?;
    let sum = if depth == 0 {
        1
    } else {
        shares.iter().map(|(_, nodes)| nodes).sum()
    };
    ensure(total == sum, || {
        format!("go perft {depth} reports nodes {total}, but its moves add up to {sum}")
    })?;
    Ok(shares)
}

impl Dialogue {
    /// Sends lines that end with `go perft` and waits for the end of the counts. Unlike other answers, they may arrive
    /// after the `readyok` of a later `isready`, like those of a search.
    pub(super) fn count(&mut self, lines: &str) -> Result<Vec<OutputLine>, Finding> {
        let mut output = self.ask(lines)?;
        let deadline = Instant::now() + self.ping();
        while !output.iter().any(ends_count) {
            match self.receive_line("nodes", deadline) {
                Ok(next) => output.push(next),
                // The caller judges incomplete output.
                Err(_) => break,
            }
        }
        Ok(output)
    }
}

/// `true` if a line ends the answer to `go perft`, or shows that there will be no counts.
fn ends_count(output: &OutputLine) -> bool {
    let is_end = match &output.reply {
        Some(Reply::PerftTotal(_)) => true,
        Some(Reply::Info(info)) => has_fields(info),
        _ => output.error().is_some(),
    };
    is_end || output.is_best_move()
}

/// Creates the finding for missing counts: `go perft` is unsupported or treated as a search.
fn no_perft(output: &[OutputLine]) -> Finding {
    let is_search =
        |output: &OutputLine| output.is_best_move() || matches!(output.reply, Some(Reply::Info(_)));
    if let Some(output) = output.iter().find(|output| is_search(output)) {
        let actual = excerpt(&output.line);
        return warn(format!(
            "starts a search on go perft, \"{actual}\": expected counts or info error"
        ));
    }
    match output.first() {
        Some(output) => skip(format!("not supported: {}", excerpt(&output.line))),
        None => skip("go perft is not answered"),
    }
}

/// `d` ends with the position string.
pub(super) fn display(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    case.set_random(dialogue, 2, 13)?;
    let output = dialogue.draw()?;
    let Some(last) = output.last().filter(|output| output.error().is_none()) else {
        return Err(skip("does not draw the board"));
    };
    let fen = last.line.strip_prefix("fen: ");
    ensure(fen.is_some(), || {
        format!(
            "the last line of a drawn board is \"{}\": expected fen: and the position string",
            excerpt(&last.line)
        )
    })?;
    if case.answers(Query::Fen) {
        let expected = dialogue.query(Query::Fen)?;
        ensure(fen == expected.as_deref(), || {
            "the drawn board and query fen show different position strings".to_owned()
        })?;
    }
    Ok(format!("{} lines", output.len()))
}
