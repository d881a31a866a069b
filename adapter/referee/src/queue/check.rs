//! Bounds on the texts of game records, and validation of records received from workers.

use protocol::text::excerpt;
use record::game::{FaultReport, GameRecord, GameResult, Machine, Termination};
use record::opening::Opening;
use record::registry::Rules;
use record::schedule::Slot;

/// Maximum length of a text in a record, in bytes, except for lines of engines.
const MAX_TEXT: usize = 1000;

/// Maximum length of a move code in a game with unknown rules, in bytes.
const MAX_CODE: usize = 100;

/// Maximum total length of an engine's texts in a fault report, in bytes.
const MAX_FAULT: usize = 1 << 20;

/// Maximum total length of the principal variations of a game, in bytes of JSON. A message holds two games.
const MAX_PV: usize = 2 << 20;

/// Maximum number of notes of a game, and of a pair.
pub(crate) const MAX_NOTES: usize = 1000;

/// Range of plausible time factors of a machine.
const SCALES: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

/// Shortens a text to what a record may contain.
pub(crate) fn bound_text(text: &mut String) {
    text.truncate(text.floor_char_boundary(MAX_TEXT));
    if text.contains(char::is_control) {
        *text = text.replace(char::is_control, "?");
    }
}

/// Shortens the texts of a record, which may quote engines, to what [`check_game`] accepts and a message holds.
pub(crate) fn bound(record: &mut GameRecord) {
    record.notes.truncate(MAX_NOTES);
    record.notes.iter_mut().for_each(bound_text);
    let reason = &mut record.reason;
    reason.truncate(reason.floor_char_boundary(MAX_TEXT));
    let mut n_left = MAX_PV;
    for ply in record.plies.iter_mut().flatten() {
        let mut fits = |code: &str| {
            // Two quotation marks and a comma.
            let n_bytes = code.len() + 3;
            let fits = is_code(code) && n_bytes <= n_left;
            n_left -= if fits { n_bytes } else { 0 };
            fits
        };
        let n_kept = ply.pv.iter().take_while(|code| fits(code)).count();
        ply.pv.truncate(n_kept);
    }
    if let Some(fault) = &mut record.fault
        && fault_bytes(fault) > MAX_FAULT
    {
        // The record has the moves of the position.
        fault.position = excerpt(&fault.position);
    }
}

/// `true` for a text that may be a move code of any game.
pub(crate) fn is_code(code: &str) -> bool {
    (1..=MAX_CODE).contains(&code.len())
        && !code.contains(|c: char| c.is_whitespace() || c.is_control())
}

fn fault_bytes(fault: &FaultReport) -> usize {
    let lines: usize = fault.lines.iter().map(String::len).sum();
    lines + fault.engine.len() + fault.position.len() + fault.stderr.len()
}

/// Checks that a record belongs to this game: its players, its opening and moves, and, if the rules are known, its
/// result.
///
/// # Errors
/// If it does not. The text describes the first problem.
pub(super) fn check_game(
    record: &GameRecord,
    slot: &Slot,
    [p1, p2]: [&str; 2],
    opening: &Opening,
    rules: Option<&Rules>,
) -> Result<(), String> {
    if record.pair != slot.pair || record.p1 != p1 || record.p2 != p2 {
        return Err(format!(
            "not the game of {p1} and {p2} in pair {}",
            slot.pair
        ));
    }
    if record.opening != *opening {
        return Err(format!("not from the opening {opening}"));
    }
    if record.plies.len() != record.moves.len() {
        return Err("expected one entry of plies per move".to_owned());
    }
    check_times(record)?;
    check_texts(record)?;
    record.machine.as_ref().map_or(Ok(()), check_machine)?;
    if matches!(record.termination, Termination::Unterminated) {
        return Err("not played to its end".to_owned());
    }
    match rules {
        Some(rules) => replay(record, opening, rules),
        None => check_codes(record, opening),
    }
}

fn check_times(record: &GameRecord) -> Result<(), String> {
    let mut times = record.plies.iter().flatten().map(|ply| ply.time);
    match times.all(|time| time.is_finite() && time >= 0.0) {
        true => Ok(()),
        false => Err("a negative time".to_owned()),
    }
}

fn check_texts(record: &GameRecord) -> Result<(), String> {
    let plies = record.plies.iter().flatten();
    let words = plies.flat_map(|ply| ply.pv.iter().chain(&ply.by));
    let texts = record.notes.iter().chain(words);
    let is_bounded = |text: &str| text.len() <= MAX_TEXT && !text.contains(char::is_control);
    let is_date = record.date.len() <= 10 && record.date.is_ascii();
    // The reason may quote an engine, so it may contain control characters. They are replaced when it is printed.
    let is_short = record.reason.len() <= MAX_TEXT && record.notes.len() <= MAX_NOTES;
    if !is_date || !is_short || !texts.into_iter().all(|text| is_bounded(text)) {
        return Err(format!(
            "a text with control characters or longer than {MAX_TEXT} bytes"
        ));
    }
    let Some(fault) = &record.fault else {
        return Ok(());
    };
    match fault_bytes(fault) <= MAX_FAULT {
        true => Ok(()),
        false => Err(format!("a fault report over {MAX_FAULT} bytes")),
    }
}

fn check_machine(machine: &Machine) -> Result<(), String> {
    let is_name = |text: &str| text.chars().count() <= 100 && !text.contains(char::is_control);
    let is_sound = is_name(&machine.name)
        && is_name(&machine.cpu)
        && SCALES.contains(&machine.scale)
        && machine.load.is_finite()
        && machine.load >= 0.0;
    is_sound
        .then_some(())
        .ok_or_else(|| "no valid description of its machine".to_owned())
}

/// Replays the moves by the rules and compares the result.
fn replay(record: &GameRecord, opening: &Opening, rules: &Rules) -> Result<(), String> {
    let base = Opening {
        fen: opening.fen.clone(),
        moves: Vec::new(),
    };
    let mut board = rules.open(&base).map_err(|why| why.to_string())?;
    if record.first != board.side() {
        return Err(format!("{} moved first: not by its position", record.first));
    }
    for (index, code) in record.moves.iter().enumerate() {
        let canonical = board.play(code).map_err(|why| why.to_string())?;
        let is_opening = opening.moves.get(index);
        if canonical != *code || is_opening.is_some_and(|due| due != code) {
            return Err(format!("move {}: {code}: not expected", index + 1));
        }
    }
    if record.moves.len() < opening.moves.len() {
        return Err("fewer moves than its opening".to_owned());
    }
    let by_rules = board.outcome().map(GameResult::from);
    let is_normal = record.termination == Termination::Normal;
    if is_normal != by_rules.is_some() || by_rules.is_some_and(|result| result != record.result) {
        return Err(format!(
            "{} by {}: not the result of its moves",
            record.result, record.termination
        ));
    }
    Ok(())
}

/// Checks the form of the moves of a game with unknown rules.
fn check_codes(record: &GameRecord, opening: &Opening) -> Result<(), String> {
    match record.moves.starts_with(&opening.moves) && record.moves.iter().all(|code| is_code(code))
    {
        true => Ok(()),
        false => Err("invalid moves, or not those of its opening".to_owned()),
    }
}
