//! Steps: the forms of `position`.

use protocol::Query;
use protocol::text::excerpt;
use record::opening::Opening;

use crate::case::{Case, board};
use crate::dialogue::Dialogue;
use crate::output_line::OutputLine;
use crate::ready::snapshot;
use crate::report::{Finding, Outcome, ensure, pass, warn};

/// Equivalent `position` lines set the same position.
pub(super) fn forms(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    let opening = case.opening(dialogue, 3, 3)?;
    dialogue.set(&Opening::default())?;
    let start = snapshot(case, dialogue)?;
    same(case, dialogue, "position startpos moves", &start)?;
    same(case, dialogue, "  position \t startpos  ", &start)?;
    dialogue.set(&opening)?;
    let after = snapshot(case, dialogue)?;
    let spaced = format!("position  startpos  moves {}", opening.moves.join("  "));
    same(case, dialogue, &spaced, &after)?;
    let Some(fen) = fen(case, dialogue, &opening)? else {
        return Ok("no position string for position fen is known".to_owned());
    };
    same(case, dialogue, &format!("position fen {fen}"), &after)?;
    same(case, dialogue, &format!("position fen {fen} moves"), &after)?;
    through_fen(case, dialogue, &opening)
}

/// Moves after a position string lead to the same position as moves from the start.
fn through_fen(case: &Case<'_>, dialogue: &mut Dialogue, opening: &Opening) -> Outcome {
    let Some((last, before)) = opening.moves.split_last() else {
        return pass();
    };
    let before = Opening {
        fen: None,
        moves: before.to_vec(),
    };
    let Some(fen) = fen(case, dialogue, &before)? else {
        return pass();
    };
    dialogue.set(opening)?;
    let after = snapshot(case, dialogue)?;
    same(
        case,
        dialogue,
        &format!("position fen {fen} moves {last}"),
        &after,
    )?;
    pass()
}

/// Returns the position string after an opening, by the rules or, if they are unknown, by the engine.
fn fen(
    case: &Case<'_>,
    dialogue: &mut Dialogue,
    opening: &Opening,
) -> Result<Option<String>, Finding> {
    if let Ok(rules) = case.rules() {
        return Ok(Some(board(rules, opening).fen()));
    }
    if !case.answers(Query::Fen) {
        return Ok(None);
    }
    dialogue.set(opening)?;
    dialogue.query(Query::Fen)
}

/// Sends a line that must set the position described by `expected`.
pub(super) fn same(
    case: &Case<'_>,
    dialogue: &mut Dialogue,
    line: &str,
    expected: &[Option<String>],
) -> Result<(), Finding> {
    let output = dialogue.ask(line)?;
    let error = output.iter().find_map(OutputLine::error);
    ensure(error.is_none(), || {
        format!(
            "\"{}\" is rejected: {}",
            excerpt(line),
            excerpt(error.unwrap_or_default())
        )
    })?;
    let snapshot = snapshot(case, dialogue)?;
    ensure(snapshot == expected, || {
        format!(
            "\"{}\" sets a different position from an equivalent line",
            excerpt(line)
        )
    })
}

/// An invalid `position` line leaves the position unchanged. The position before it is unrelated to the one in the
/// line, because otherwise a partially processed line might not be noticed.
pub(super) fn bad(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    let named = case.opening(dialogue, 2, 4)?;
    let before = unrelated(case, dialogue, &named)?;
    let mut is_silent = false;
    for line in bad_lines(case, dialogue, &named)? {
        dialogue.set(&before)?;
        let expected = snapshot(case, dialogue)?;
        dialogue.set(&before)?;
        let output = dialogue.ask(&line)?;
        is_silent |= output.is_empty();
        ensure(snapshot(case, dialogue)? == expected, || {
            let line = excerpt(&line);
            format!("\"{line}\" changes the position: expected info error alone")
        })?;
        let found = dialogue.go("depth 1")?.answered()?;
        case.ensure_legal(dialogue, &before, &found.code)?;
    }
    if is_silent {
        return Err(warn(
            "a bad position is ignored silently: expected info error",
        ));
    }
    pass()
}

/// Returns a position with a different first move and the other player to move, if there is one.
fn unrelated(
    case: &Case<'_>,
    dialogue: &mut Dialogue,
    named: &Opening,
) -> Result<Opening, Finding> {
    const ATTEMPTS: u64 = 8;
    let mut other = Opening::default();
    for salt in 0..ATTEMPTS {
        other = case.opening(dialogue, 1, 0xBAD + salt)?;
        if other.moves.first() != named.moves.first() {
            break;
        }
    }
    Ok(other)
}

/// Returns invalid lines that begin like valid ones: legal moves followed by a malformed code or an illegal move, and
/// lines with surplus words.
fn bad_lines(
    case: &Case<'_>,
    dialogue: &mut Dialogue,
    named: &Opening,
) -> Result<Vec<String>, Finding> {
    let with = |opening: &Opening, code: &str| {
        let mut wrong = opening.clone();
        wrong.moves.push(code.to_owned());
        format!("position {wrong}")
    };
    let mut lines = vec![
        with(named, "xyzzy"),
        "position startpos xyzzy".to_owned(),
        "position fen xyzzy".to_owned(),
    ];
    if let Some(fen) = fen(case, dialogue, named)? {
        let fen = Some(fen);
        let moves = Vec::new();
        lines.push(with(&Opening { fen, moves }, "xyzzy"));
    }
    if let Ok(rules) = case.rules() {
        let now = board(rules, named).moves();
        let earlier = board(rules, &Opening::default()).moves();
        let illegal = earlier.iter().find(|code| !now.contains(code));
        lines.extend(illegal.map(|code| with(named, code)));
    }
    Ok(lines)
}
