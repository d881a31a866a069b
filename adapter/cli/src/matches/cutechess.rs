//! Output in the format of cutechess-cli, for programs that parse it.
//!
//! White is p1. The statistics are Linesman's: with sides swapped, Elo is computed from pairs of games, not from
//! games.

use record::event::Event;
use record::stats::{Decision, Elo, Row, Sample, SprtStatus, Standing, Wdl};

use crate::output::one_line;

/// Formats the events of a match as lines of cutechess-cli.
pub(crate) struct Cutechess {
    /// The ranking follows every `interval` games; 0: only at the end.
    interval: usize,
    standing: Option<Standing>,
    /// `true` if the ranking was shown after the last game.
    is_ranked: bool,
}

impl Cutechess {
    pub(crate) fn new(interval: usize) -> Cutechess {
        Cutechess {
            interval,
            standing: None,
            is_ranked: false,
        }
    }

    /// The lines of an event.
    pub(crate) fn lines(&mut self, event: &Event) -> Vec<String> {
        match event {
            Event::MatchStarted { standing, .. } | Event::MatchSnapshot { standing, .. } => {
                self.standing = Some(standing.clone());
                Vec::new()
            }
            Event::GameStarted { game, p1, p2, .. } => {
                let total = self.standing.as_ref().map_or(0, |standing| standing.total);
                let line = format!("Started game {game} of {total} ({p1} vs {p2})");
                vec![one_line(&line).into_owned()]
            }
            Event::GameOver { record } => vec![one_line(&record.finished_line()).into_owned()],
            Event::Standing { standing } => {
                self.standing = Some(standing.clone());
                let mut lines: Vec<String> = score(standing).into_iter().collect();
                self.is_ranked = self.interval > 0 && standing.games.is_multiple_of(self.interval);
                if self.is_ranked {
                    lines.extend(ranking(standing));
                }
                lines
            }
            _ => Vec::new(),
        }
    }

    /// The lines at the end of a match.
    pub(crate) fn last_lines(&self) -> Vec<String> {
        let due = self.standing.iter().filter(|_| !self.is_ranked);
        let mut lines: Vec<String> = due.flat_map(ranking).collect();
        lines.push("Finished match".to_owned());
        lines
    }
}

/// `Score of A vs B: 1 - 0 - 0  [1.000] 1`; wins, losses and draws of the first of two.
fn score(standing: &Standing) -> Option<String> {
    let [first, second] = standing.tally.rows.as_slice() else {
        return None;
    };
    let names = format!("{} vs {}", one_line(&first.name), one_line(&second.name));
    Some(format!("Score of {names}: {}", counts(first.total())))
}

/// `1 - 0 - 0  [1.000] 1`.
fn counts(wdl: Wdl) -> String {
    let games = wdl.games();
    let share = wdl.score() / games.max(1) as f64;
    format!(
        "{} - {} - {}  [{share:.3}] {games}",
        wdl.wins, wdl.losses, wdl.draws
    )
}

fn ranking(standing: &Standing) -> Vec<String> {
    let mut lines = match standing.tally.rows.as_slice() {
        [first, _] => difference(standing, first),
        rows => table(rows),
    };
    lines.extend(standing.sprt.as_ref().map(sprt));
    lines
}

/// The results of the first of two players by side, and the Elo difference.
fn difference(standing: &Standing, first: &Row) -> Vec<String> {
    let name = one_line(&first.name);
    let both = first.as_p1.plus(Wdl {
        wins: first.as_p2.losses,
        draws: first.as_p2.draws,
        losses: first.as_p2.wins,
    });
    let sides = [
        (format!("{name} playing White"), first.as_p1),
        (format!("{name} playing Black"), first.as_p2),
        ("White vs Black".to_owned(), both),
    ];
    let played = sides.iter().filter(|(_, wdl)| wdl.games() > 0);
    let mut lines: Vec<String> = played
        .map(|(what, wdl)| format!("...      {what}: {}", counts(*wdl)))
        .collect();
    let total = first.total();
    let (elo, error, los) = numbers(standing.elo, total);
    lines.push(format!(
        "Elo difference: {elo:.1} +/- {}, LOS: {:.1} %, DrawRatio: {:.1} %",
        decimal(error, 1),
        100.0 * los,
        100.0 * draw_ratio(total)
    ));
    lines
}

/// Elo, its error, and the likelihood of superiority. If the games do not bound Elo, it is infinite and the error is
/// NaN, as in cutechess-cli.
fn numbers(elo: Option<Elo>, total: Wdl) -> (f64, f64, f64) {
    elo.filter(|elo| elo.elo.error.is_finite()).map_or_else(
        || match total.wins.cmp(&total.losses) {
            std::cmp::Ordering::Less => (f64::NEG_INFINITY, f64::NAN, 0.0),
            std::cmp::Ordering::Equal => (0.0, f64::NAN, 0.5),
            std::cmp::Ordering::Greater => (f64::INFINITY, f64::NAN, 1.0),
        },
        |elo| (elo.elo.value, elo.elo.error, elo.los),
    )
}

fn draw_ratio(wdl: Wdl) -> f64 {
    wdl.draws as f64 / wdl.games().max(1) as f64
}

/// One line per player, the best first.
fn table(rows: &[Row]) -> Vec<String> {
    let mut rows: Vec<&Row> = rows.iter().collect();
    rows.sort_by(|a, b| b.share().total_cmp(&a.share()));
    let header = format!(
        "{:>4} {:<25} {:>7} {:>7} {:>7} {:>7} {:>7} ",
        "Rank", "Name", "Elo", "+/-", "Games", "Score", "Draw"
    );
    let line = |(index, row): (usize, &&Row)| {
        let total = row.total();
        let (elo, error, _) = numbers(Elo::of(&Sample::of_games(total)), total);
        format!(
            "{:>4} {:<25} {elo:>7.0} {:>7} {:>7} {:>6.1}% {:>6.1}% ",
            index + 1,
            one_line(&row.name),
            decimal(error, 0),
            total.games(),
            100.0 * row.share(),
            100.0 * draw_ratio(total)
        )
    };
    std::iter::once(header)
        .chain(rows.iter().enumerate().map(line))
        .collect()
}

/// `SPRT: llr 0.21 (7.1%), lbound -2.94, ubound 2.94`, and the accepted hypothesis.
fn sprt(status: &SprtStatus) -> String {
    let accepted = match status.decision {
        None => "",
        Some(Decision::H0) => " - H0 was accepted",
        Some(Decision::H1) => " - H1 was accepted",
    };
    format!(
        "SPRT: llr {} ({:.1}%), lbound {}, ubound {}{accepted}",
        three_digits(status.llr),
        100.0 * status.llr / status.upper,
        three_digits(status.lower),
        three_digits(status.upper)
    )
}

/// A number with this many decimals; `nan` for NaN.
fn decimal(value: f64, decimals: usize) -> String {
    match value.is_nan() {
        true => "nan".to_owned(),
        false => format!("{value:.decimals$}"),
    }
}

/// Three significant digits without trailing zeros, like C's `%.3g` for values of at least 0.0001.
fn three_digits(value: f64) -> String {
    if value == 0.0 || value.abs() < 1e-4 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = usize::try_from(2 - magnitude).unwrap_or(0);
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        for (value, text) in [
            (2.944_438, "2.94"),
            (-2.944_438, "-2.94"),
            (0.210_4, "0.21"),
            (0.001_234_5, "0.00123"),
            (12.0, "12"),
            (123.4, "123"),
            (0.0, "0"),
        ] {
            assert_eq!(three_digits(value), text);
        }
    }

    #[test]
    fn scores_are_wins_losses_draws() {
        let wdl = |wins, draws, losses| Wdl {
            wins,
            draws,
            losses,
        };
        assert_eq!(counts(wdl(3, 2, 1)), "3 - 1 - 2  [0.667] 6");
        assert_eq!(counts(wdl(0, 0, 0)), "0 - 0 - 0  [0.000] 0");
        assert_eq!(numbers(None, wdl(2, 0, 0)).0, f64::INFINITY);
        assert_eq!(decimal(numbers(None, wdl(2, 0, 0)).1, 1), "nan");
    }
}
