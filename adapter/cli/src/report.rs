//! The numbers of a report as tables.

use std::fmt::Write;

use referee::stats::{Decision, Duel, Elo, Interval, Model, Report, Row, SprtStatus, TimeUse, Wdl};

/// Games with other moves than all before, as a share, below which a test is not to be trusted.
const FEW_DISTINCT: f64 = 0.5;

/// All that a report says.
pub(crate) fn text(report: &Report, sprt: Option<&SprtStatus>) -> String {
    let mut text = standing(report);
    if report.tally.rows.len() > 2 {
        text.push_str(&cross_table(report));
    }
    text.push('\n');
    for line in report.duels.iter().flat_map(duel) {
        let _ = writeln!(text, "{line}");
    }
    for line in games(report).into_iter().chain(sprt.map(test)) {
        let _ = writeln!(text, "{line}");
    }
    if sprt.is_some()
        && (report.repeats.distinct as f64) < FEW_DISTINCT * report.repeats.games as f64
    {
        let _ = writeln!(
            text,
            "warning: few games differ: the test takes them for independent, and is not to be trusted"
        );
    }
    text
}

/// One line a player that had a clock.
pub(crate) fn clocks(times: &[TimeUse]) -> String {
    let line = |used: &TimeUse| {
        let (name, moves, forfeits) = (&used.name, used.moves, used.forfeits);
        let millis = used.overrun.abs() * 1e3;
        let closest = match used.overrun {
            _ if moves == 0 => String::new(),
            over if over > 0.0 => format!(", largest overrun {millis:.1} ms"),
            _ => format!(", no overrun, {millis:.1} ms left at the closest"),
        };
        format!("time of {name}: {moves} moves, {forfeits} games lost on time{closest}\n")
    };
    times.iter().map(line).collect()
}

/// One line a player, the best first.
fn standing(report: &Report) -> String {
    let mut rows: Vec<&Row> = report.tally.rows.iter().collect();
    let share = |row: &Row| row.total().score() / (row.total().games().max(1)) as f64;
    rows.sort_by(|a, b| share(b).total_cmp(&share(a)));
    let width = column(rows.iter().map(|row| row.name.as_str()));
    let mut text = format!(
        "    {:<width$}  {:>7} {:>6} {:>7}  {:>15}  {:>15}  {:>14}\n",
        "engine", "score", "games", "%", "as p1 +W =D -L", "as p2 +W =D -L", "Elo"
    );
    for (index, row) in rows.iter().enumerate() {
        let total = row.total();
        let rating = report
            .ratings
            .players
            .iter()
            .find(|rating| rating.name == row.name);
        let _ = writeln!(
            text,
            "{:>2}  {:<width$}  {:>7} {:>6} {:>6.1}%  {:>15}  {:>15}  {:>14}",
            index + 1,
            row.name,
            total.score(),
            total.games(),
            100.0 * share(row),
            wdl(row.as_p1),
            wdl(row.as_p2),
            rating.map_or_else(String::new, |rating| interval(rating.elo, 0))
        );
    }
    text
}

/// Points of each player against each other.
fn cross_table(report: &Report) -> String {
    let names: Vec<&str> = report
        .tally
        .rows
        .iter()
        .map(|row| row.name.as_str())
        .collect();
    let width = column(names.iter().copied());
    let mut text = format!("\n    {:<width$}", "points against");
    for number in 1..=names.len() {
        let _ = write!(text, " {number:>9}");
    }
    text.push('\n');
    for (index, name) in names.iter().enumerate() {
        let _ = write!(text, "{:>2}  {name:<width$}", index + 1);
        for opponent in &names {
            let _ = write!(text, " {:>9}", points(report, name, opponent));
        }
        text.push('\n');
    }
    text
}

fn points(report: &Report, player: &str, opponent: &str) -> String {
    let cell = |points: f64, games: u64| format!("{points}/{games}");
    let found = report.duels.iter().find_map(|duel| {
        let (games, score) = (duel.wdl.games(), duel.wdl.score());
        if (duel.player.as_str(), duel.opponent.as_str()) == (player, opponent) {
            Some(cell(score, games))
        } else if (duel.player.as_str(), duel.opponent.as_str()) == (opponent, player) {
            Some(cell(games as f64 - score, games))
        } else {
            None
        }
    });
    found.unwrap_or_else(|| "-".to_owned())
}

/// What two players' games say about them.
fn duel(duel: &Duel) -> Vec<String> {
    let mut lines = vec![format!(
        "{} vs {}: {}",
        duel.player,
        duel.opponent,
        wdl(duel.wdl)
    )];
    let pairs = duel.pairs.total();
    if pairs > 0 {
        let [ll, ld, even, wd, ww] = duel.pairs.counts;
        let split = duel.pairs.split;
        lines.push(format!(
            "  {pairs} pairs with 0, 1/2, 1, 1 1/2, 2 points: {ll} {ld} {even} {wd} {ww} ({split} of the even ones a win each)"
        ));
    }
    lines.push(match (duel.is_forced(), duel.elo) {
        (true, _) => "  nearly all pairs are a win each: one side of the board wins by force, and Elo says nothing".to_owned(),
        (false, None) => "  no Elo: all observations are the same".to_owned(),
        (false, Some(elo)) => format!("  {}", elo_words(&elo)),
    });
    lines
}

/// A difference in one line.
pub(crate) fn elo_words(elo: &Elo) -> String {
    format!(
        "Elo {}, normalized {}, LOS {:.2} %",
        interval(elo.elo, 2),
        interval(elo.nelo, 2),
        100.0 * elo.los
    )
}

/// What all games say together.
fn games(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    let first = &report.first_mover;
    if first.wdl.games() > 0 {
        let (share, error) = (100.0 * first.score.value, 100.0 * first.score.error);
        let worth = interval(report.ratings.first_move, 0);
        lines.push(format!(
            "first player: {}, {share:.1} % +/- {error:.1} %, worth {worth} Elo",
            wdl(first.wdl)
        ));
    }
    let repeats = &report.repeats;
    if repeats.distinct < repeats.games {
        lines.push(format!(
            "{} of {} games differ; they tell as much as {:.1} different games",
            repeats.distinct, repeats.games, repeats.effective
        ));
    }
    if report.tally.unknown > 0 {
        lines.push(format!(
            "{} games without a result are left out",
            report.tally.unknown
        ));
    }
    lines
}

/// How a test stands, in one line.
pub(crate) fn test(status: &SprtStatus) -> String {
    let model = match status.test.model {
        Model::Logistic => "logistic",
        Model::Normalized => "normalized",
    };
    let found = match status.decision {
        Some(Decision::H0) => "H0 accepted",
        Some(Decision::H1) => "H1 accepted",
        None => "no decision",
    };
    let made_up = if status.is_regularised {
        "; scores never seen count 0.001"
    } else {
        ""
    };
    format!(
        "SPRT elo0={} elo1={} ({model}): LLR {:.2} ({:.2}, {:.2}), {found}{made_up}",
        status.test.elo0, status.test.elo1, status.llr, status.lower, status.upper
    )
}

fn interval(interval: Interval, digits: usize) -> String {
    format!(
        "{:+.digits$} +/- {:.digits$}",
        interval.value, interval.error
    )
}

fn wdl(wdl: Wdl) -> String {
    format!("+{} ={} -{}", wdl.wins, wdl.draws, wdl.losses)
}

fn column<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        .max(14)
}
