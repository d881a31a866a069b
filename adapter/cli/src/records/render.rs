//! Values as text for people: games, lines of a match, and its report. This module writes nothing.

use std::fmt::Write;

use itertools::Itertools;
use kit::{GameEntry, OptionKind, Options};
use protocol::text::counted;
use record::engine_spec::{EngineSpec, Program};
use record::game::{GameRecord, GameResult};
use record::plan::Plan;
use record::registry::Rules;
use record::schedule::Slot;
use record::stats::{
    Duel, Interval, ProgressPoint, Report, Row, SprtStatus, Standing, ThinkingTime, Window,
};
use report::MatchReport;
use report::words::{self, interval, wdl};

use crate::output::{one_line, shows_unicode};

/// Below this share of distinct games, the report warns about the test.
const FEW_DISTINCT: f64 = 0.5;

/// The whole report. For two players it starts with their Elo difference, for more with their ratings.
pub(crate) fn text(shown: &MatchReport<'_>) -> String {
    let report = &shown.numbers;
    let rows = report.best_first();
    let duels = report.duels.iter().flat_map(duel);
    let duels = duels.chain(shown.sprt.as_ref().map(words::sprt));
    let duels: String = duels.map(|line| line + "\n").collect();
    let mut text = match rows.len() {
        0 => "no games with a result\n".to_owned(),
        1 | 2 => format!("{duels}\n{}\n", standings(report, &rows)),
        _ => format!(
            "{}{}\n{duels}\n",
            standings(report, &rows),
            cross_table(report, &rows)
        ),
    };
    let mut lines = words::remarks(report);
    for (player, counts) in &shown.summary.faults.counts {
        let kinds = [
            ("crashed or hung", counts.abandoned),
            ("illegal moves", counts.illegal),
            ("lost on time", counts.late),
        ];
        let counted = kinds.iter().filter(|(_, n)| *n > 0);
        let counted = counted.map(|(kind, n)| format!("{kind} {n}")).join(", ");
        lines.push(format!("faults of {}: {counted}", one_line(player)));
    }
    let (distinct, games) = (report.repeats.distinct as f64, report.repeats.games as f64);
    if shown.sprt.is_some() && distinct < FEW_DISTINCT * games {
        lines.push(
            "warning: few games are distinct: the test assumes independent games, so do not rely on it".to_owned(),
        );
    }
    lines.extend(elo_curve(&shown.summary.progress()).filter(|_| shows_unicode()));
    lines.extend(shown.rounds().iter().flat_map(words::rounds));
    text.extend(lines.into_iter().map(|line| line + "\n"));
    text
}

/// Time use, one line per player that moved with a clock.
pub(crate) fn clocks(times: &[&ThinkingTime]) -> String {
    let line = |used: &&ThinkingTime| {
        let name = one_line(&used.name);
        let moves = counted(used.moves as usize, "move");
        let lost = counted(used.forfeits as usize, "game");
        let millis = used.overrun.abs() * 1e3;
        let closest = match used.overrun {
            _ if used.moves == 0 => String::new(),
            over if over > 0.0 => format!(", largest overrun {millis:.1} ms"),
            _ => format!(", no overrun, {millis:.1} ms left at the closest"),
        };
        format!("time of {name}: {moves}, {lost} lost on time{closest}\n")
    };
    times.iter().map(line).collect()
}

/// The score of the first player in each window of games.
pub(crate) fn windows(rows: &[Window]) -> String {
    let line = |row: &Window| {
        let games = format!("games {} to {}", row.first, row.last);
        format!("{games:<24}{:5.1} %\n", 100.0 * row.score)
    };
    rows.iter().map(line).collect()
}

/// A sparkline of the Elo difference of two players; `None` for more players, or too few games.
fn elo_curve(progress: &[ProgressPoint]) -> Option<String> {
    const WIDTH: usize = 40;
    let known = progress.iter().filter_map(|point| match point.elo[..] {
        [elo] => Some((point.games, elo?.value)),
        _ => None,
    });
    let (games, values): (Vec<usize>, Vec<f64>) = known.unzip();
    let curve = words::sparkline(&values, WIDTH);
    let (first, last) = (games.first()?, games.last()?);
    let (low, high) = values
        .iter()
        .copied()
        .minmax_by(f64::total_cmp)
        .into_option()?;
    (!curve.is_empty())
        .then(|| format!("Elo after {first} to {last} games: {curve} from {low:+.0} to {high:+.0}"))
}

/// One line per player. With more than two players, it includes a rating; two players have an Elo difference instead.
fn standings(report: &Report, rows: &[&Row]) -> String {
    let width = column(rows);
    let has_ratings = rows.len() > 2;
    let elo = if has_ratings { "             Elo" } else { "" };
    let mut text = format!(
        "    {:<width$}  {:>7} {:>6} {:>7}  {:>15}  {:>15}{elo}\n",
        "engine", "score", "games", "%", "as p1 +W =D -L", "as p2 +W =D -L"
    );
    for (number, row) in (1..).zip(rows) {
        let (name, total, share) = (one_line(&row.name), row.total(), 100.0 * row.share());
        let (score, games, p1, p2) = (total.score(), total.games(), wdl(row.as_p1), wdl(row.as_p2));
        text += &format!(
            "{number:>2}  {name:<width$}  {score:>7} {games:>6} {share:>6.1}%  {p1:>15}  {p2:>15}"
        );
        if has_ratings {
            text += &format!("  {:>14}", words::rating(report, row));
        }
        text.push('\n');
    }
    text
}

/// A table of each player's points against each other player; the columns have the order of the rows.
fn cross_table(report: &Report, rows: &[&Row]) -> String {
    let width = column(rows);
    let numbers = (1..=rows.len()).map(|number| format!(" {number:>9}"));
    let mut text = format!("\n    {:<width$}{}\n", "points against", numbers.format(""));
    for (number, row) in (1..).zip(rows) {
        let met = rows.iter().map(|opponent| {
            let met = report.points(&row.name, &opponent.name);
            let met = met.map(|(points, games)| format!("{points}/{games}"));
            format!(" {:>9}", met.as_deref().unwrap_or("-"))
        });
        let name = one_line(&row.name);
        text += &format!("{number:>2}  {name:<width$}{}\n", met.format(""));
    }
    text
}

/// The results of two players against each other.
fn duel(duel: &Duel) -> Vec<String> {
    let (player, opponent) = (one_line(&duel.player), one_line(&duel.opponent));
    let (won, score, games) = (wdl(duel.wdl), duel.wdl.score(), duel.wdl.games());
    let (n_pairs, split) = (duel.pairs.total(), duel.pairs.split);
    let elo = match duel.elo {
        _ if duel.is_forced() => words::FORCED.to_owned(),
        Some(elo) if elo.elo.is_bounded() => words::elo(&elo),
        None if n_pairs == 0 => "no Elo: all results are equal".to_owned(),
        None if n_pairs > 1 => "no Elo: all pairs have the same score".to_owned(),
        _ => format!("no Elo: {}", words::TOO_FEW),
    };
    let result = format!("{player} vs {opponent}: {won}, {score} of {games}");
    let mut lines = vec![result, format!("  {elo}")];
    if n_pairs > 0 {
        lines.push(format!(
            "  {} with 0, 1/2, 1, 1 1/2, 2 points: {} ({split} of the even ones a win each)",
            counted(n_pairs as usize, "pair"),
            words::pairs(&duel.pairs)
        ));
    }
    lines
}

/// Width of the column of names, in characters.
fn column(rows: &[&Row]) -> usize {
    let widths = rows.iter().map(|row| one_line(&row.name).chars().count());
    widths.fold(14, usize::max)
}

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
        let range = match &decl.kind {
            OptionKind::Check { .. } => "true or false".to_owned(),
            OptionKind::Spin { min, max, .. } => format!("{min} to {max}"),
            OptionKind::Combo { choices, .. } => choices.join(", "),
            OptionKind::Button => "a button".to_owned(),
            OptionKind::String { .. } => "a text".to_owned(),
        };
        let (name, default) = (&decl.name, defaults.text(&decl.name));
        let _ = write!(text, "\n    {name}={default}  {range}");
    }
    text
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
    let mut line = format!("{board}: {names}, {limits}, {games}, seed {seed}");
    line.extend(plan.shard.map(|shard| format!(", part {shard}")));
    let ledger = format!("ledger: {}", plan.ledger.display());
    [line, ledger]
        .map(|line| one_line(&line).into_owned())
        .join("\n")
}

/// The line of a finished game, made printable.
pub fn finished(record: &GameRecord) -> String {
    one_line(&record.finished_line()).into_owned()
}

/// The line of a recorded game, made printable. If the rules ended the game, `explained` is their description of the
/// end.
pub(crate) fn shown(record: &GameRecord, explained: Option<&str>) -> String {
    let GameRecord {
        game,
        p1,
        p2,
        result,
        reason,
        ..
    } = record;
    let (state, end) = match (result, explained.unwrap_or(reason)) {
        (GameResult::Unknown, "") => ("Unfinished", String::new()),
        (GameResult::Unknown, end) => ("Unfinished", format!(" {{{end}}}")),
        (_, end) => ("Finished", format!(" {{{end}}}")),
    };
    one_line(&format!(
        "{state} game {game} ({p1} vs {p2}): {result}{end}"
    ))
    .into_owned()
}

/// The current score of a match, in one line.
pub(crate) fn progress(standing: &Standing) -> String {
    let rows = &standing.tally.rows;
    let score = |row: &Row| format!("{} {}", row.name, row.total().score());
    let scores = rows.iter().filter(|_| rows.len() == 2).map(score);
    let elo = standing.elo.map(|elo| elo.elo).filter(Interval::is_bounded);
    let elo = elo.map(|elo| format!("Elo {}", interval(elo, 1)));
    let test = |test: SprtStatus| {
        let (llr, lower, upper) = (test.llr, test.lower, test.upper);
        format!("LLR {llr:.2} ({lower:.2}, {upper:.2})")
    };
    let mut words = scores.chain(elo).chain(standing.sprt.map(test));
    one_line(&words.join(", ")).into_owned()
}

/// A line of standings after some games: the score of each engine, Elo, the test, and the faults. More than two engines
/// are sorted by their points.
pub(crate) fn standing(standing: &Standing) -> String {
    let score = |row: &&Row| row.total().score();
    let by_score = |a: &&Row, b: &&Row| score(b).total_cmp(&score(a));
    let rows = standing.tally.rows.iter().sorted_by(by_score);
    let mut scores =
        rows.map(|row| format!("{} {}/{}", row.name, score(&row), row.total().games()));
    let mut text = match standing.tally.rows.len() {
        2 => progress(standing),
        _ => one_line(&scores.join(", ")).into_owned(),
    };
    let forfeits = standing.faults.total();
    if forfeits > 0 {
        text += &format!(", {forfeits} lost by faults");
    }
    let (games, left) = (standing.games, standing.total - standing.games);
    format!("Standing after {games} games, {left} left: {text}")
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
