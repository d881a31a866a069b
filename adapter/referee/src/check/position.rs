//! Steps: `position` in all its forms.

use protocol::Query;
use protocol::text::excerpt;

use super::case::{Case, board};
use super::dialogue::{Dialogue, OutputLine};
use super::ready::snapshot;
use super::report::{Finding, Outcome, ensure, pass, warn};
use crate::opening::Opening;

/// Different `position` lines for one position set the same position.
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
        return Ok("without position fen: no position string is known".to_owned());
    };
    same(case, dialogue, &format!("position fen {fen}"), &after)?;
    same(case, dialogue, &format!("position fen {fen} moves"), &after)?;
    through_fen(case, dialogue, &opening)
}

/// Moves from a position string lead to the same position as moves from the start.
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

/// The position string after an opening, by the rules or else by the engine.
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

/// Sends a line that must set the position with this snapshot.
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
            "\"{}\" is refused: {}",
            excerpt(line),
            excerpt(error.unwrap_or_default())
        )
    })?;
    let snapshot = snapshot(case, dialogue)?;
    ensure(snapshot == expected, || {
        format!(
            "\"{}\" sets another position than an equivalent line",
            excerpt(line)
        )
    })
}

/// An invalid `position` line leaves the position unchanged.
pub(super) fn bad(case: &Case<'_>, dialogue: &mut Dialogue) -> Outcome {
    let opening = case.set_random(dialogue, 1, 4)?;
    let before = snapshot(case, dialogue)?;
    let mut is_silent = false;
    for line in [
        format!(
            "position {opening} {}xyzzy",
            if opening.moves.is_empty() {
                "moves "
            } else {
                ""
            }
        ),
        "position startpos xyzzy".to_owned(),
        "position fen xyzzy".to_owned(),
    ] {
        let output = dialogue.ask(&line)?;
        is_silent |= output.is_empty();
        ensure(snapshot(case, dialogue)? == before, || {
            format!("\"{line}\" changes the position: expected info error alone")
        })?;
    }
    if is_silent {
        return Err(warn(
            "a bad position is passed over in silence: expected info error",
        ));
    }
    pass()
}
