//! Steps: the forms of `position`.

use crate::prelude::*;

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
        let found = dialogue.go("depth 1")?;
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
