//! Formatting of statistics in words, for all kinds of reports: numbers, names cut to fit, curves in one line of text.

use std::borrow::Cow;

use kit::fen::counted;
use protocol::text::one_line;
use record::stats::{
    Decision, Elo, Interval, MeetingRow, Model, RoundRow, RoundTable, SprtStatus, Wdl,
};

/// Formats an estimate with the half-width of its interval.
pub fn interval(interval: Interval, digits: usize) -> String {
    let Interval { value, error, .. } = interval;
    format!("{value:+.digits$} +/- {error:.digits$}")
}

/// Shown in place of an Elo difference that the games do not bound.
pub const TOO_FEW: &str = "too few games";

/// Formats an Elo difference, or [`TOO_FEW`] if the games do not bound it.
pub fn bounded(elo: Interval, digits: usize) -> String {
    match elo.is_bounded() {
        true => interval(elo, digits),
        false => TOO_FEW.to_owned(),
    }
}

/// Formats wins, draws and losses.
pub fn wdl(wdl: Wdl) -> String {
    format!("+{} ={} -{}", wdl.wins, wdl.draws, wdl.losses)
}

/// The number of games without a result, as a sentence without its full stop.
pub fn left_out(n: u64) -> String {
    let are = if n == 1 { "is" } else { "are" };
    format!(
        "{} without a result {are} left out",
        counted(n as usize, "game")
    )
}

/// Formats an Elo difference in one line.
pub fn elo(elo: &Elo) -> String {
    let (logistic, normalized) = (interval(elo.elo, 2), interval(elo.nelo, 2));
    format!(
        "Elo {logistic}, normalized {normalized}, LOS {:.2} %",
        100.0 * elo.los
    )
}

/// Formats the status of an SPRT in one line.
pub fn sprt(status: &SprtStatus) -> String {
    let model = match status.test.model {
        Model::Logistic => "logistic",
        Model::Normalized => "normalized",
    };
    let found = match status.decision {
        Some(Decision::H0) => "H0 accepted",
        Some(Decision::H1) => "H1 accepted",
        None => "no decision",
    };
    let smoothing = match status.is_regularised {
        true => "; SPRT smoothing 0.001",
        false => "",
    };
    format!(
        "SPRT elo0={} elo1={} ({model}): LLR {:.2} ({:.2}, {:.2}), {found}{smoothing}",
        status.test.elo0, status.test.elo1, status.llr, status.lower, status.upper
    )
}

/// Formats a duration in µs below a millisecond, in ms below a second, otherwise in s.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => format!("{:.0} µs", s * 1e6),
        s if s < 0.01 => format!("{:.1} ms", s * 1e3),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}

/// Formats the rounds of a Swiss match, one a line, followed by the standing.
pub fn rounds(table: &RoundTable) -> Vec<String> {
    let mut lines: Vec<String> = table.rounds.iter().zip(1..).map(round).collect();
    let (n_rounds, n_planned) = (table.rounds.len(), table.n_planned);
    let has_byes = table.rounds.iter().any(|round| !round.byes.is_empty());
    let bye = match has_byes {
        true => format!("; a bye counts {}", table.bye),
        false => String::new(),
    };
    lines.push(format!(
        "swiss standing in round {n_rounds} of {n_planned}{bye}"
    ));
    for (place, number) in table.places.iter().zip(1..) {
        let (name, points, buchholz) = (one_line(&place.name), place.points, place.buchholz);
        let noun = if points == 1.0 { "point" } else { "points" };
        lines.push(format!(
            "{number:>2}  {name}: {points} {noun}, Buchholz {buchholz}"
        ));
    }
    lines
}

fn round((round, number): (&RoundRow, usize)) -> String {
    let mut words: Vec<String> = round.meetings.iter().map(meeting).collect();
    let byes = round.byes.iter();
    words.extend(byes.map(|name| format!("{} has a bye", one_line(name))));
    format!("round {number}: {}", words.join(", "))
}

fn meeting(meeting: &MeetingRow) -> String {
    let [first, second] = meeting.players.each_ref().map(|name| one_line(name));
    let [own, other] = meeting.points;
    format!("{first} {own} : {other} {second}")
}

/// Like [`one_line`], cut to at most `max` characters; a cut text ends with `…`.
pub fn shortened(text: &str, max: usize) -> Cow<'_, str> {
    let line = one_line(text);
    if line.chars().count() <= max {
        return line;
    }
    let begin: String = line.chars().take(max.saturating_sub(1)).collect();
    Cow::Owned(begin.trim_end().to_owned() + "…")
}

/// The characters of a sparkline, in ascending height.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Formats values as a line of at most `width` characters, scaled from the lowest to the highest value. Each character
/// shows the last value of its range. Empty if fewer than two values are finite.
pub fn sparkline(values: &[f64], width: usize) -> String {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    let values: Vec<f64> = finite.collect();
    if values.len() < 2 || width == 0 {
        return String::new();
    }
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bar = |value: f64| {
        let share = match high > low {
            true => (value - low) / (high - low),
            false => 0.5,
        };
        BARS[((share * 7.0).round() as usize).min(7)]
    };
    let n_bars = values.len().min(width);
    let last = |bar: usize| (bar + 1) * values.len() / n_bars - 1;
    (0..n_bars).map(|at| bar(values[last(at)])).collect()
}

#[cfg(test)]
mod tests {
    use super::{sparkline, *};

    #[test]
    fn games_without_a_result_are_counted() {
        assert_eq!(super::left_out(1), "1 game without a result is left out");
        assert_eq!(super::left_out(2), "2 games without a result are left out");
    }

    #[test]
    fn seconds_have_three_digits_or_so() {
        let shown = [0.0, 0.000_25, 0.0042, 0.25, 2.5, 1234.5].map(super::seconds);
        assert_eq!(
            shown,
            ["0 µs", "250 µs", "4.2 ms", "250 ms", "2.50 s", "1234 s"]
        );
    }

    #[test]
    fn long_names_are_cut_at_characters() {
        assert_eq!(shortened("山田山田", 4), "山田山田");
        assert_eq!(shortened("山田 山田", 4), "山田…");
    }

    #[test]
    fn lowest_and_highest_are_told_apart() {
        assert_eq!(sparkline(&[0.0, 7.0, 3.0], 40), "▁█▄");
        assert_eq!(sparkline(&[5.0, 5.0], 40), "▅▅");
    }

    #[test]
    fn a_long_curve_ends_with_its_last_value() {
        let values: Vec<f64> = (0..1000).map(f64::from).collect();
        let line = sparkline(&values, 40);
        assert_eq!(line.chars().count(), 40);
        assert!(line.starts_with('▁') && line.ends_with('█'));
    }

    #[test]
    fn what_is_no_curve_is_no_line() {
        assert_eq!(sparkline(&[], 40), "");
        assert_eq!(sparkline(&[1.0, f64::INFINITY], 40), "");
        assert_eq!(sparkline(&[1.0, 2.0], 0), "");
    }
}
