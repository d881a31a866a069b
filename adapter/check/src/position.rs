//! Steps: the forms of `position`.

use crate::prelude::*;

/// Equivalent `position` lines set the same position.
pub(super) fn forms(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(3, 3)?;
    dialogue.set(&Opening::default())?;
    let start = dialogue.snapshot()?;
    same(dialogue, "position startpos moves", &start)?;
    same(dialogue, "  position \t startpos  ", &start)?;
    dialogue.set(&opening)?;
    let after = dialogue.snapshot()?;
    let spaced = format!("position  startpos  moves {}", opening.moves.join("  "));
    same(dialogue, &spaced, &after)?;
    let Some(fen) = dialogue.known(&opening, Query::Fen)? else {
        return Ok("no position string for position fen is known".to_owned());
    };
    same(dialogue, &format!("position fen {fen}"), &after)?;
    same(dialogue, &format!("position fen {fen} moves"), &after)?;
    through_fen(dialogue, &opening)
}

/// Moves after a position string lead to the same position as moves from the start.
fn through_fen(dialogue: &mut Dialogue<'_>, opening: &Opening) -> Outcome {
    let Some((last, before)) = opening.moves.split_last() else {
        return pass();
    };
    let Some(fen) = dialogue.known(&opening.prefix(before.len()), Query::Fen)? else {
        return pass();
    };
    dialogue.set(opening)?;
    let after = dialogue.snapshot()?;
    let line = format!("position fen {fen} moves {last}");
    same(dialogue, &line, &after)
}

/// Sends a line that must set the position described by `expected`.
pub(super) fn same(
    dialogue: &mut Dialogue<'_>,
    line: &str,
    expected: &[Option<String>],
) -> Outcome {
    let (output, line) = (dialogue.ask(line)?, excerpt(line));
    if let Some(why) = output.iter().find_map(OutputLine::error) {
        return Err(fail!("\"{line}\" is rejected: {}", excerpt(why)));
    }
    let fault = format!("\"{line}\" sets a different position from an equivalent line");
    dialogue.ensure_same(expected, &fault)
}

/// An invalid `position` line leaves the position unchanged. The position before it is unrelated to the one in the
/// line, because otherwise a partially processed line might not be noticed.
pub(super) fn bad(dialogue: &mut Dialogue<'_>) -> Outcome {
    let named = dialogue.opening(2, 4)?;
    let before = unrelated(dialogue, &named)?;
    let mut is_silent = false;
    for line in bad_lines(dialogue, &named)? {
        dialogue.set(&before)?;
        let expected = dialogue.snapshot()?;
        dialogue.set(&before)?;
        let output = dialogue.ask(&line)?;
        is_silent |= output.is_empty();
        let line = excerpt(&line);
        let fault = format!("\"{line}\" changes the position: expected info error alone");
        dialogue.ensure_same(&expected, &fault)?;
        let found = dialogue.go("depth 1")?.answered()?;
        dialogue.ensure_legal(&before, &found.code)?;
    }
    if is_silent {
        return Err(warning!(
            "a bad position is ignored silently: expected info error"
        ));
    }
    pass()
}

/// Returns a position with a different first move and the other player to move, if there is one.
fn unrelated(dialogue: &mut Dialogue<'_>, named: &Opening) -> Checked<Opening> {
    const ATTEMPTS: u64 = 8;
    let mut other = Opening::default();
    for salt in 0..ATTEMPTS {
        other = dialogue.opening(1, 0xBAD + salt)?;
        if other.moves.first() != named.moves.first() {
            break;
        }
    }
    Ok(other)
}

/// Returns invalid lines that begin like valid ones: legal moves followed by a malformed code or an illegal move, and
/// lines with surplus words.
fn bad_lines(dialogue: &mut Dialogue<'_>, named: &Opening) -> Checked<Vec<String>> {
    let with = |opening: &Opening, code: &str| format!("position {}", opening.clone().with(code));
    let mut lines = vec![
        with(named, "xyzzy"),
        "position startpos xyzzy".to_owned(),
        "position fen xyzzy".to_owned(),
    ];
    if let Some(fen) = dialogue.known(named, Query::Fen)? {
        lines.push(with(&Opening::at(fen), "xyzzy"));
    }
    if let Ok(rules) = dialogue.case.rules() {
        let now = board(rules, named).moves();
        let earlier = board(rules, &Opening::default()).moves();
        let illegal = earlier.iter().find(|code| !now.contains(code));
        lines.extend(illegal.map(|code| with(named, code)));
    }
    Ok(lines)
}
