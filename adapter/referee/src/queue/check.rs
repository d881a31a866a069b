//! Bounds on the texts of game records, and validation of records received from workers.

use std::time::Duration;

use kit::Side;
use protocol::text::excerpt;
use record::adjudication::{Adjudicated, Scores};
use record::clock::{Clock, spend};
use record::engine_spec::EngineSpec;
use record::game::{FaultReport, GameRecord, GameResult, Machine, PlyRecord, Termination};
use record::opening::Opening;
use record::plan::Plan;
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

/// Maximum number of notes of a game.
const MAX_NOTES: usize = 1000;

/// Tolerance for the rounding of times in a record.
const ROUNDING: Duration = Duration::from_millis(1);

/// Range of plausible time factors of a machine.
const SCALES: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

/// Shortens a text to what a record may contain.
fn bound_text(text: &mut String) {
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

/// Checks that a record belongs to this game and follows from the plan: its players, its opening, each move, and how it
/// ended. If the rules are unknown, only the form of the moves is checked, and a result by the rules is not.
///
/// # Errors
/// If it does not. The text describes the first problem.
pub(super) fn check_game(
    record: &GameRecord,
    slot: &Slot,
    plan: &Plan,
    opening: &Opening,
    rules: Option<&Rules>,
) -> Result<(), String> {
    let engines = [slot.p1, slot.p2].map(|engine| &plan.engines[engine]);
    let [p1, p2] = engines.map(|spec| spec.name.as_deref().unwrap_or_default());
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
    replay(record, Referee::new(record, plan, engines), opening, rules)
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
        && is_name(&machine.worker)
        && is_name(&machine.cpu)
        && SCALES.contains(&machine.scale)
        && machine.load.is_finite()
        && machine.load >= 0.0;
    is_sound
        .then_some(())
        .ok_or_else(|| "no valid description of its machine".to_owned())
}

/// The decisions of the referee in a game that is replayed.
struct Referee<'a> {
    plan: &'a Plan,
    clocks: [Clock; 2],
    scores: Scores,
    decision: Option<Adjudicated>,
}

impl Referee<'_> {
    fn new<'a>(record: &GameRecord, plan: &'a Plan, engines: [&EngineSpec; 2]) -> Referee<'a> {
        let scale = record.machine.as_ref().map_or(1.0, |machine| machine.scale);
        Referee {
            plan,
            clocks: engines.map(|spec| {
                let margin = Duration::from_millis(spec.margin_ms) + ROUNDING;
                Clock::new(spec.limit.scaled(scale), margin)
            }),
            scores: Scores::new(plan.adjudication),
            decision: None,
        }
    }

    /// The result by adjudication after this number of plies; `None` if the game continues.
    fn due(&self, n_plies: usize) -> Option<GameResult> {
        match self.decision {
            Some(Adjudicated::Resign(side)) => Some(GameResult::win(side.other())),
            Some(Adjudicated::Draw) => Some(GameResult::Draw),
            None => (n_plies >= self.plan.adjudication.max_plies).then_some(GameResult::Draw),
        }
    }

    /// Counts the time and the score of an engine's move.
    fn count(&mut self, side: Side, ply: &PlyRecord) -> Result<(), String> {
        let elapsed = Duration::try_from_secs_f64(ply.time);
        let elapsed = elapsed.map_err(|error| error.to_string())?;
        spend(&mut self.clocks, side, elapsed)
            .map_err(|_| "took longer than its clock".to_owned())?;
        self.decision = self.scores.tell(side, ply.score);
        Ok(())
    }

    /// Checks how the game ended, with this side to move. `by_rules` is the result by the rules, if they are known.
    fn check_ending(
        &self,
        record: &GameRecord,
        side: Side,
        by_rules: Option<Option<GameResult>>,
    ) -> Result<(), String> {
        let due = self.due(record.moves.len());
        let is_unfinished = due.is_none() && !matches!(by_rules, Some(Some(_)));
        let is_loss_of = |side: Side| record.result == GameResult::win(side.other());
        // Before the first move and where engines are asked, either of them may fail, and before the result is known.
        let is_any_asked = by_rules.is_none() || record.moves.len() == record.opening.moves.len();
        let is_possible = match record.termination {
            Termination::Normal => match by_rules {
                Some(result) => result == Some(record.result),
                None => record.result != GameResult::Unknown,
            },
            Termination::Adjudication => {
                due == Some(record.result) && !matches!(by_rules, Some(Some(_)))
            }
            Termination::TimeForfeit => {
                let has_clock = self.clocks[side.index()].allowance().is_some();
                has_clock && is_unfinished && is_loss_of(side)
            }
            Termination::RulesInfraction | Termination::Abandoned => {
                (is_unfinished && is_loss_of(side))
                    || (is_any_asked && Side::BOTH.into_iter().any(is_loss_of))
            }
            Termination::Disagreement => by_rules.is_none() && record.result == GameResult::Unknown,
            Termination::Unterminated => false,
        };
        match is_possible {
            true => Ok(()),
            false => Err(format!(
                "{} by {} after {} plies: not an ending of this game by the plan",
                record.result,
                record.termination,
                record.moves.len()
            )),
        }
    }
}

/// Replays the moves, each of which must be possible, up to the ending.
fn replay(
    record: &GameRecord,
    mut referee: Referee<'_>,
    opening: &Opening,
    rules: Option<&Rules>,
) -> Result<(), String> {
    let board = rules.map(|rules| rules.open(&opening.prefix(0)));
    let board = board.transpose();
    let mut board = board.map_err(|why| why.to_string())?;
    if let Some(board) = &board
        && record.first != board.side()
    {
        return Err(format!("{} moved first: not by its position", record.first));
    }
    if !record.moves.starts_with(&opening.moves) {
        return Err("not the moves of its opening".to_owned());
    }
    let mut side = record.first;
    for (index, (code, ply)) in record.moves.iter().zip(&record.plies).enumerate() {
        let wrong = |why: &str| format!("move {}: {}: {why}", index + 1, excerpt(code));
        if ply.is_some() != (index >= opening.moves.len()) {
            return Err(wrong("expected times of the engines' moves alone"));
        }
        if ply.is_some() && referee.due(index).is_some() {
            return Err(wrong("played after the end of the game"));
        }
        match &mut board {
            Some(board) => {
                side = board.side();
                let canonical = board.play(code).map_err(|why| why.to_string())?;
                if canonical != *code {
                    return Err(wrong("not a move's code"));
                }
            }
            None if is_code(code) => {}
            None => return Err(wrong("not a move's code")),
        }
        if let Some(ply) = ply {
            referee.count(side, ply).map_err(|why| wrong(&why))?;
        }
        side = side.other();
    }
    let by_rules = board
        .as_ref()
        .map(|board| board.outcome().map(GameResult::from));
    let side = board.map_or(side, |board| board.side());
    referee.check_ending(record, side, by_rules)
}
