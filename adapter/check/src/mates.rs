//! Steps: `score mate` and `go mate` are correct.

use kit::{CheckPosition, DynHistory, Outcome as GameOutcome, Side};
use protocol::{Dialect, Info, Score};
use record::registry::Rules;

use crate::prelude::*;
use crate::search::Found;
use crate::table;

/// Maximum number of positions visited to prove a mate.
const PROOF: usize = 50_000;
/// Time limit of a search in milliseconds. A slow engine that finds no mate within it reports none.
const LONGEST_MS: u32 = 1000;

/// A reported mate is forced within the reported number of plies. Tested on the game's table, then on positions near
/// the end of random games.
pub(super) fn distances(dialogue: &mut Dialogue<'_>) -> Outcome {
    let rules = dialogue.case.rules()?;
    let mut counts = Counts::default();
    for chapter in dialogue.case.chapters().0 {
        dialogue.restart(&chapter.options)?;
        for position in &chapter.positions {
            let Some(plies) = position.mate else { continue };
            counts.judge(
                dialogue,
                &chapter.rules,
                &table::opening(position),
                Some(plies),
            )?;
        }
    }
    dialogue.restart(&dialogue.case.options)?;
    for opening in dialogue.near_ends(3, 80) {
        counts.judge(dialogue, rules, &opening, None)?;
    }
    match counts.n_reported {
        0 => Err(skip!("reported no mate in positions near the end of games")),
        n_reported => Ok(format!("{} of {n_reported} mates proved", counts.n_proved)),
    }
}

#[derive(Debug, Default)]
struct Counts {
    n_reported: usize,
    n_proved: usize,
}

impl Counts {
    /// Searches a position and judges the mate that the engine reports, if any. `known` is the mate distance, if known.
    fn judge(
        &mut self,
        dialogue: &mut Dialogue<'_>,
        rules: &Rules,
        opening: &Opening,
        known: Option<i32>,
    ) -> Checked<()> {
        let depth = known.map_or(3, |plies| plies.unsigned_abs() + 1);
        dialogue.set(opening)?;
        let limits = format!("depth {depth} movetime {LONGEST_MS}");
        let found = dialogue.go(&limits)?.answered()?;
        let Some(plies) = reported_mate(&found, dialogue.case.subject.dialect) else {
            return Ok(());
        };
        self.n_reported += 1;
        let board = &mut *board(rules, opening);
        let code = &found.code;
        ensure!(
            plies == 1 || !wins_at_once(board, code),
            "reports a mate in {plies} plies and plays {code}, which wins at once: position {opening}"
        );
        let is_true = match known {
            Some(known) => Some(plies.signum() == known.signum() && plies.abs() >= known.abs()),
            None => is_forced_mate(board, code, plies),
        };
        self.n_proved += usize::from(is_true == Some(true));
        ensure!(
            is_true != Some(false),
            "reports a mate in {plies} plies and plays {code}, but it is not forced: position {opening}"
        );
        Ok(())
    }
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
    let is_near = |position: &&CheckPosition| position.mate.is_some_and(|plies| plies.abs() <= 3);
    let mut n_positions = 1;
    for chapter in dialogue.case.chapters().0 {
        dialogue.restart(&chapter.options)?;
        for position in chapter.positions.iter().filter(is_near) {
            mate_in_one(dialogue, Some(&chapter.rules), &table::opening(position))?;
            n_positions += 1;
        }
    }
    Ok(format!("{n_positions} positions"))
}

fn mate_in_one(
    dialogue: &mut Dialogue<'_>,
    rules: Option<&Rules>,
    opening: &Opening,
) -> Checked<()> {
    dialogue.set(opening)?;
    let found = dialogue.go("mate 1")?.answered_or_skip()?;
    let Some(rules) = rules else { return Ok(()) };
    let board = &mut *board(rules, opening);
    let code = &found.code;
    if let Err(why) = board.fork().play(code) {
        return Err(fail!("bestmove is illegal after position {opening}: {why}"));
    }
    let texts = found.infos.iter().filter_map(|info| info.string.as_deref());
    let denies = texts.into_iter().any(|text| text == "no mate in 1");
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
    match (last.score?, last.bound, dialect) {
        (Score::Mate(n), None, Dialect::Ugi) => Some(n),
        (Score::Mate(n), None, Dialect::Uci | Dialect::Uai) => {
            Some(if n > 0 { 2 * n - 1 } else { 2 * n })
        }
        _ => None,
    }
}

/// `true` if the move leads to the reported mate; `None` if the proof exceeds its budget.
fn is_forced_mate(board: &mut dyn DynHistory, code: &str, plies: i32) -> Option<bool> {
    let mut budget = PROOF;
    let (side, n_plies) = (board.side(), plies.unsigned_abs());
    if plies <= 0 {
        return is_forced(board, side.other(), n_plies, &mut budget);
    }
    if board.play(code).is_err() {
        return Some(false);
    }
    is_forced(board, side, n_plies - 1, &mut budget)
}

/// `true` if `winner` wins within `plies` against any defence; `None` if the budget is exhausted.
fn is_forced(
    board: &mut dyn DynHistory,
    winner: Side,
    plies: u32,
    budget: &mut usize,
) -> Option<bool> {
    match board.outcome() {
        Some(outcome) => return Some(outcome == GameOutcome::Win(winner)),
        None if plies == 0 => return Some(false),
        None => *budget = budget.checked_sub(1)?,
    }
    let attacks = board.side() == winner;
    for code in board.moves() {
        board.play(&code).ok()?;
        let is_won = is_forced(board, winner, plies - 1, budget);
        board.undo();
        if is_won? == attacks {
            return Some(attacks);
        }
    }
    Some(!attacks)
}
