//! Steps: `score mate` and `go mate` are correct.

use kit::search::proof::Verdict;
use kit::{DynHistory, Outcome as GameOutcome};
use protocol::{Dialect, Info, Score};
use record::registry::Rules;
use referee::rules_program::WinProof;

use crate::prelude::*;
use crate::search::Found;

/// Maximum number of positions visited to prove a mate.
const PROOF: u64 = 50_000;
/// Time limit of a search in milliseconds. A slow engine that finds no mate within it reports none.
const LONGEST_MS: u32 = 1000;

/// A reported mate is forced within the reported number of plies. Tested on the game's table, then on positions near
/// the end of random games.
pub(super) fn distances(dialogue: &mut Dialogue<'_>) -> Outcome {
    let rules = dialogue.case.rules()?;
    let mut proved = Vec::new();
    dialogue.each_of_table(|dialogue, rules, position| {
        if position.mate.is_some() {
            proved.extend(reported(dialogue, rules, &position.into(), position.mate)?);
        }
        Ok(())
    })?;
    dialogue.restart(dialogue.case.options.clone())?;
    for opening in dialogue.near_ends(3, 80) {
        proved.extend(reported(dialogue, rules, &opening, None)?);
    }
    let n_proved = proved.iter().filter(|is_proved| **is_proved).count();
    skip_unless!(
        !proved.is_empty(),
        "reported no mate in positions near the end of games"
    );
    Ok(format!("{n_proved} of {} mates proved", proved.len()))
}

/// Searches a position and judges the mate that the engine reports, if any: `true` if it is proved. `known` is the mate
/// distance, if known.
fn reported(
    dialogue: &mut Dialogue<'_>,
    rules: &Rules,
    opening: &Opening,
    known: Option<i32>,
) -> Checked<Option<bool>> {
    let depth = known.map_or(3, |plies| plies.unsigned_abs() + 1);
    let limits = format!("depth {depth} movetime {LONGEST_MS}");
    let found = dialogue.search(opening, &limits)?;
    let Some(plies) = reported_mate(&found, dialogue.dialect()) else {
        return Ok(None);
    };
    let (board, code) = (&mut *board(rules, opening), &found.code);
    let claim = format!("reports a mate in {plies} plies and plays {code}");
    ensure!(
        plies == 1 || !wins_at_once(board, code),
        "{claim}, which wins at once: position {opening}"
    );
    let is_true = match known {
        Some(known) => Some(plies.signum() == known.signum() && plies.abs() >= known.abs()),
        None => is_forced_mate(board, code, plies),
    };
    ensure!(
        is_true != Some(false),
        "{claim}, but it is not forced: position {opening}"
    );
    Ok(Some(is_true.is_some()))
}

/// `true` if the move ends the game with a win for its side.
fn wins_at_once(board: &mut dyn DynHistory, code: &str) -> bool {
    let side = board.side();
    let is_played = board.play(code).is_ok();
    let is_won = board.outcome() == Some(GameOutcome::Win(side));
    is_played && board.undo() && is_won
}

/// `go mate 1` finds a win in one or reports that there is none. It always ends with a `bestmove`.
pub(super) fn go_mate(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.opening(2, 31)?;
    let rules = dialogue.case.rules().ok();
    mate_in_one(dialogue, rules, &opening)?;
    let mut n_positions = 1;
    dialogue.each_of_table(|dialogue, rules, position| {
        if position.mate.is_some_and(|plies| plies.abs() <= 3) {
            mate_in_one(dialogue, Some(rules), &position.into())?;
            n_positions += 1;
        }
        Ok(())
    })?;
    Ok(format!("{n_positions} positions"))
}

fn mate_in_one(
    dialogue: &mut Dialogue<'_>,
    rules: Option<&Rules>,
    opening: &Opening,
) -> Checked<()> {
    dialogue.set(opening)?;
    let found = dialogue.try_go("mate 1")?;
    let Some(rules) = rules else { return Ok(()) };
    let board = &mut *board(rules, opening);
    let code = &found.code;
    legal(rules, opening, code)?;
    let mut texts = found.infos.iter().map(|info| info.string.as_deref());
    let denies = texts.any(|text| text == Some("no mate in 1"));
    let has_win = board.moves().iter().any(|code| wins_at_once(board, code));
    ensure!(
        !(denies && has_win),
        "says info string no mate in 1 although a move wins: position {opening}"
    );
    ensure!(
        denies || wins_at_once(board, code),
        "finds no win in 1 and does not say info string no mate in 1: position {opening}"
    );
    Ok(())
}

/// Plies to the mate reported by the last exact score; negative if the engine loses.
fn reported_mate(found: &Found, dialect: Dialect) -> Option<i32> {
    let is_best = |info: &&Info| info.score.is_some() && info.multipv.unwrap_or(1) == 1;
    let last = found.infos.iter().rev().find(is_best)?;
    match (last.score?, last.bound) {
        (Score::Mate(n), None) => Some(dialect.plies(n)),
        _ => None,
    }
}

/// `true` if the move leads to the reported mate; `None` if the proof exceeds its budget.
fn is_forced_mate(board: &dyn DynHistory, code: &str, plies: i32) -> Option<bool> {
    let (attacker, moves) = match plies > 0 {
        true if board.fork().play(code).is_err() => return Some(false),
        true => (board.side(), vec![code.to_owned()]),
        false => (board.side().other(), board.moves()),
    };
    let mut proof = WinProof::new(board.fork(), attacker);
    proof.max_nodes = PROOF;
    match proof.best(&moves, plies.unsigned_abs()) {
        Verdict::Win { .. } => Some(true),
        Verdict::NoWin => Some(false),
        Verdict::Unknown => None,
    }
}
