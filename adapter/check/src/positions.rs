//! Steps: positions from the game's table, each of which tests a rule, and those that reach each place of the board.
//!
//! All queries are compared with the rules in each position and along the moves that lead to it. After each legal move,
//! `gameover` and `result` are compared. Illegal codes must not change the position, and a search must return a legal
//! move.

use std::collections::HashSet;
use std::time::Instant;

use kit::CheckPosition;
use record::registry::Rules;

use crate::compare::{CheckedAnswer, ENDS, QUERIES, Question};
use crate::prelude::*;

/// No further position is tested after as many times `--ping-ms`: 20 s at its default.
const PINGS: u32 = 4;

/// Maximum number of moves after each of which the end of the game is compared, in the many positions of places.
const MAX_CHILDREN: usize = 40;

/// A fault, and whether it concerns the rule that its position tests. A position may also reveal faults in other rules.
type Miss = (bool, Finding);

/// Tests all positions of the game's table. Testing continues after a broken rule. The finding is the first one about the
/// rule that its position tests, else the first one, and names the other rules that are broken in the same way.
pub(super) fn positions(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.case.rules()?;
    let time = PINGS * dialogue.ping();
    let deadline = Instant::now() + time;
    let (mut n_tested, mut n_late) = (0, 0);
    let mut broken: Vec<(&str, Miss)> = Vec::new();
    let n_left_out = dialogue.each_of_table(|dialogue, rules, position| {
        if Instant::now() >= deadline {
            n_late += 1;
            return Ok(());
        }
        n_tested += 1;
        let Err((is_its_rule, finding)) = judge(dialogue, rules, position) else {
            return Ok(());
        };
        let finding = dialogue.with_evidence(finding);
        broken.push((position.rule, (is_its_rule, finding)));
        dialogue.again()
    })?;
    broken.sort_by_key(|(_, (is_its_rule, _))| !is_its_rule);
    let mut rules = HashSet::new();
    broken.retain(|(rule, _)| rules.insert(*rule));
    let mut broken = broken.into_iter();
    if let Some((rule, (kind, finding))) = broken.next() {
        let others = broken.filter(|(_, (other, _))| *other == kind);
        let others: Vec<&str> = others.map(|(rule, _)| rule).collect();
        let mut text = format!("{rule} {}", finding.text);
        if !others.is_empty() {
            text += &format!("; also violated: {}", others.join(" "));
        }
        return Err(Finding { text, ..finding });
    }
    let mut text = format!("{n_tested} positions");
    if n_left_out > 0 {
        text += &format!("; {n_left_out} left out: the engine lacks their options");
    }
    if n_late > 0 {
        text += &format!("; {n_late} not tested within {} s", time.as_secs());
    }
    skip_unless!(n_tested > 0, "{text}");
    Ok(text)
}

/// Tests the positions that reach each place of the default board.
pub(super) fn places(dialogue: &mut Dialogue<'_>) -> Outcome {
    let all = CheckPosition::parse_table(dialogue.case.rules()?.entry().place_positions);
    skip_unless!(!all.is_empty(), "the game has no positions for it");
    let played = dialogue.case.board_of(&[]);
    let (rules, options) = played.ok_or_else(|| skip!("does not play on the default board"))?;
    dialogue.restart(options)?;
    let time = PINGS * dialogue.ping();
    let deadline = Instant::now() + time;
    for (n_tested, position) in all.iter().enumerate() {
        if Instant::now() >= deadline {
            let (n, seconds) = (all.len(), time.as_secs());
            return Ok(format!("{n_tested} of {n} positions within {seconds} s"));
        }
        let line = Opening::from(position);
        let mut judged = dialogue.compare(&rules, &line, &QUERIES);
        if judged.is_ok() && board(&rules, &line).moves().len() <= MAX_CHILDREN {
            judged = compare_children(dialogue, &rules, &line);
        }
        judged.map_err(|finding| Finding {
            text: format!("{}: {}", position.rule, finding.text),
            ..finding
        })?;
    }
    Ok(format!("{} positions", all.len()))
}

/// Tests the position itself first, then the positions before and after it.
fn judge(dialogue: &mut Dialogue<'_>, rules: &Rules, position: &CheckPosition) -> Result<(), Miss> {
    let line = Opening::from(position);
    let answers = dialogue.answers_about(rules, &line, &QUERIES);
    let answers = answers.map_err(|finding| (finding.kind == FindingKind::Refusal, finding))?;
    if let Some(wrong) = answers.iter().find(|answer| !answer.is_complete()) {
        let finding = wrong.finding(dialogue, &line);
        return Err((is_about(wrong, position), finding));
    }
    for code in position.illegal.split_whitespace() {
        refuse(dialogue, &line, code).map_err(|finding| (true, finding))?;
    }
    judge_neighbours(dialogue, rules, &line).map_err(|finding| (false, finding))
}

/// Compares the positions before and after this one. A search of it returns a legal move, or `none` if the game is over.
fn judge_neighbours(dialogue: &mut Dialogue<'_>, rules: &Rules, line: &Opening) -> Checked<()> {
    for plies in 0..line.moves.len() {
        dialogue.compare(rules, &line.prefix(plies), &QUERIES)?;
    }
    compare_children(dialogue, rules, line)?;
    let found = dialogue.search(line, "depth 1")?;
    if board(rules, line).outcome().is_none() {
        return legal(rules, line, &found.code);
    }
    let code = excerpt(&found.code);
    ensure!(
        code == "none",
        "plays {code} in a finished game: position {line}"
    );
    Ok(())
}

/// Compares `gameover` and `result` with the rules after each legal move.
fn compare_children(dialogue: &mut Dialogue<'_>, rules: &Rules, line: &Opening) -> Checked<()> {
    let moves = board(rules, line).moves().into_iter();
    let mut children = moves.map(|code| line.clone().with(&code));
    children.try_for_each(|child| dialogue.compare(rules, &child, &ENDS))
}

/// An illegal code leaves the position unchanged.
fn refuse(dialogue: &mut Dialogue<'_>, line: &Opening, code: &str) -> Checked<()> {
    let wrong = format!("position {}", line.clone().with(code));
    dialogue.set(line)?;
    let before = dialogue.snapshot()?;
    let output = dialogue.ask(&wrong)?;
    let Some(query) = dialogue.changed(&before)? else {
        return Ok(());
    };
    let how = match output.iter().any(|output| output.error().is_some()) {
        true => "is rejected, but changes the position",
        false => "is played",
    };
    let finding = fail!("{wrong}: the illegal move {code} {how}");
    let asked = format!("query {}", query.word());
    let lines = vec![format!("position {line}"), wrong, asked];
    Err(dialogue.shown_by(finding, lines))
}

/// `true` if a wrong answer concerns what the position tests: the end of the game, or the codes that it names.
fn is_about(wrong: &CheckedAnswer, position: &CheckPosition) -> bool {
    let forbids_alone = position.legal.is_empty() && !position.illegal.is_empty();
    match wrong.question {
        _ if position.mate.is_some() => false,
        Question::Query(Query::GameOver | Query::Result) => {
            position.outcome.is_some() || !forbids_alone
        }
        Question::Query(Query::Moves) => {
            let listed: Vec<&str> = wrong.actual.split_whitespace().collect();
            let mut legal = position.legal.split_whitespace();
            let mut illegal = position.illegal.split_whitespace();
            legal.any(|code| !listed.contains(&code)) || illegal.any(|code| listed.contains(&code))
        }
        _ => position.outcome.is_none(),
    }
}
