//! Formatting of values as text for people. This module writes nothing.

use std::fmt::Write;

use itertools::Itertools;
use kit::{GameEntry, OptionDecl, OptionKind, Options};
use record::engine_spec::{EngineSpec, Program};
use record::game::{GameRecord, GameResult};
use record::plan::Plan;
use record::registry::Rules;
use record::schedule::Slot;
use record::stats::{Interval, Row, SprtStatus, Standing};
use report::words::interval;

use crate::output::one_line;

/// A game and its options, as `linesman games` lists it.
pub(crate) fn game(entry: &GameEntry) -> String {
    let idea = entry.about().idea.trim_end_matches('.');
    let mut text = format!("{:<14}{idea}", entry.name);
    if !entry.about().author.is_empty() {
        let _ = write!(text, " ({})", entry.about().author);
    }
    let declared = entry.source.options();
    let defaults = Options::new(declared.clone());
    for decl in &declared {
        let default = defaults.text(&decl.name);
        let _ = write!(text, "\n    {}={default}  {}", decl.name, range(decl));
    }
    text
}

fn range(decl: &OptionDecl) -> String {
    match &decl.kind {
        OptionKind::Check { .. } => "true or false".to_owned(),
        OptionKind::Spin { min, max, .. } => format!("{min} to {max}"),
        OptionKind::Combo { choices, .. } => choices.join(", "),
        OptionKind::Button => "a button".to_owned(),
        OptionKind::String { .. } => "a text".to_owned(),
    }
}

/// Two lines: the match to be played on this board, and its ledger.
pub(crate) fn header(plan: &Plan, board: &str) -> String {
    let names = plan.names().join(" vs ");
    let limits = plan.engines.iter().map(EngineSpec::limit_words);
    let limits = limits.dedup().join(" vs ");
    let (games, seed) = (plan.games, plan.srand);
    let games = match plan.format.rounds() {
        Some(rounds) => format!("{rounds} rounds, {games} games a meeting"),
        None => format!("{games} games a pairing"),
    };
    let part = plan.shard.map(|shard| format!(", part {shard}"));
    let part = part.unwrap_or_default();
    let line = format!("{board}: {names}, {limits}, {games}, seed {seed}{part}");
    let ledger = format!("ledger: {}", plan.ledger.display());
    format!("{}\n{}", one_line(&line), one_line(&ledger))
}

/// The line of a finished game, made printable.
pub fn finished(record: &GameRecord) -> String {
    one_line(&record.finished_line()).into_owned()
}

/// The line of a recorded game, made printable. If the rules ended the game, `explained` is their description of the
/// end.
pub(crate) fn shown(record: &GameRecord, explained: Option<&str>) -> String {
    let reason = explained.unwrap_or(&record.reason).to_owned();
    if record.result != GameResult::Unknown {
        return finished(&GameRecord {
            reason,
            ..record.clone()
        });
    }
    let end = match reason.as_str() {
        "" => String::new(),
        end => format!(" {{{end}}}"),
    };
    let GameRecord { game, p1, p2, .. } = record;
    one_line(&format!("Unfinished game {game} ({p1} vs {p2}): *{end}")).into_owned()
}

/// The current score of a match, in one line.
pub(crate) fn progress(standing: &Standing) -> String {
    let rows = &standing.tally.rows;
    let score = |row: &Row| format!("{} {}", row.name, row.total().score());
    let scores = rows.iter().filter(|_| rows.len() == 2).map(score);
    let elo = standing.elo.map(|elo| elo.elo).filter(Interval::is_bounded);
    let elo = elo.map(|elo| format!("Elo {}", interval(elo, 1)));
    let test = standing.sprt.map(
        |SprtStatus {
             llr, lower, upper, ..
         }| { format!("LLR {llr:.2} ({lower:.2}, {upper:.2})") },
    );
    one_line(&scores.chain(elo).chain(test).join(", ")).into_owned()
}

/// A line of standings after some games: the score of each engine, Elo, the test, and the faults.
pub(crate) fn standing(standing: &Standing) -> String {
    let scores = match standing.tally.rows.len() {
        2 => progress(standing),
        _ => scores(&standing.tally.rows),
    };
    let faults = match standing.faults.total() {
        0 => String::new(),
        forfeits => format!(", {forfeits} lost by faults"),
    };
    let (games, left) = (standing.games, standing.total - standing.games);
    format!("Standing after {games} games, {left} left: {scores}{faults}")
}

/// The points of more than two engines, the best first.
fn scores(rows: &[Row]) -> String {
    let by_score = |a: &&Row, b: &&Row| b.total().score().total_cmp(&a.total().score());
    let rows = rows.iter().sorted_by(by_score);
    let score = |row: &Row| {
        let total = row.total();
        format!("{} {}/{}", row.name, total.score(), total.games())
    };
    one_line(&rows.map(score).join(", ")).into_owned()
}

/// The name of a program, for an engine without one.
pub(crate) fn program_name(program: &Program) -> String {
    match program {
        Program::Builtin => "builtin".to_owned(),
        Program::Person => "human".to_owned(),
        Program::Command { path, .. } => path.display().to_string(),
    }
}

/// A game of the schedule.
pub(crate) fn slot(plan: &Plan, slot: &Slot, rules: Option<&Rules>) -> String {
    let name = |engine: usize| {
        let spec = &plan.engines[engine];
        let numbered = || format!("{} ({})", program_name(&spec.program), engine + 1);
        spec.name.clone().unwrap_or_else(numbered)
    };
    let opening = match plan.openings.is_empty() {
        true => "random moves".to_owned(),
        false => plan.opening_of(slot.opening, rules).to_string(),
    };
    let (game, pair, p1, p2) = (slot.game, slot.pair, name(slot.p1), name(slot.p2));
    format!("Game {game} (pair {pair}): {p1} vs {p2}, {opening}")
}
