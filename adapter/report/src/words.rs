//! Formatting of statistics in words, for all kinds of reports: numbers, names cut to fit, curves in one line of text.

use std::borrow::Cow;

use protocol::text::{counted, one_line};
use record::stats::{
    Decision, Elo, Interval, Model, Pairs, Report, RoundTable, Row, SprtStatus, Wdl,
};

/// Formats an estimate with the half-width of its interval.
pub fn interval(interval: Interval, digits: usize) -> String {
    let Interval { value, error } = interval;
    let unit = 10f64.powf(digits as f64);
    // Adding 0 takes away the sign of a number that rounds to 0.
    let value = (value * unit).round() / unit + 0.0;
    format!("{value:+.digits$} +/- {error:.digits$}")
}

/// Shown in place of an Elo difference that the games do not bound.
pub const TOO_FEW: &str = "too few games";

/// Formats wins, draws and losses.
pub fn wdl(wdl: Wdl) -> String {
    format!("+{} ={} -{}", wdl.wins, wdl.draws, wdl.losses)
}

/// Formats an Elo difference in one line.
pub fn elo(elo: &Elo) -> String {
    let (logistic, normalized, los) =
        (interval(elo.elo, 2), interval(elo.nelo, 2), 100.0 * elo.los);
    format!("Elo {logistic}, normalized {normalized}, LOS {los:.2} %")
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

/// Formats a share, 0 to 1, in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Formats the rating of a player of the report, or [`TOO_FEW`] if the games do not bound it.
pub fn rating(report: &Report, row: &Row) -> String {
    let mut players = report.ratings.players.iter();
    let rated = players.find(|player| player.name == row.name);
    let elo = rated.map(|player| player.elo).filter(Interval::is_bounded);
    elo.map_or_else(|| TOO_FEW.to_owned(), |elo| interval(elo, 0))
}

/// The numbers of pairs that scored 0, ½, 1, 1½ and 2 points.
pub fn pairs(pairs: &Pairs) -> String {
    pairs.counts.map(|count| count.to_string()).join(" ")
}

/// Shown in place of an Elo difference if one side of the board wins nearly always.
pub const FORCED: &str = "nearly all pairs are one win each: the side of the board decides, and the Elo estimate is \
                          meaningless";

/// Statistics of all games together, one sentence each, without their full stops.
pub fn remarks(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    let (first, repeats) = (&report.first_mover, &report.repeats);
    if first.wdl.games() > 0 {
        let mut line = format!(
            "first player: {}, {}",
            wdl(first.wdl),
            percent(first.score.value)
        );
        // With equal results, the error cannot be estimated.
        if first.score.error > 0.0 {
            line += &format!(" +/- {}", percent(first.score.error));
        }
        if report.ratings.first_move.is_bounded() {
            line += &format!(", worth {} Elo", interval(report.ratings.first_move, 0));
        }
        lines.push(line);
    }
    if repeats.distinct < repeats.games {
        let distinct = counted(repeats.distinct as usize, "distinct game");
        let (games, effective) = (repeats.games, repeats.effective);
        lines.push(format!(
            "only {distinct} in {games}; they count as {effective:.1} independent games"
        ));
    }
    if report.tally.unknown > 0 {
        let games = counted(report.tally.unknown as usize, "game");
        let are = if report.tally.unknown == 1 {
            "is"
        } else {
            "are"
        };
        lines.push(format!("{games} without a result {are} left out"));
    }
    lines
}

/// Formats the rounds of a Swiss match, one a line, followed by the standing.
pub fn rounds(table: &RoundTable) -> Vec<String> {
    let mut lines = Vec::new();
    for (round, number) in table.rounds.iter().zip(1..) {
        let meetings = round.meetings.iter().map(|meeting| {
            let [first, second] = meeting.players.each_ref().map(|name| one_line(name));
            let [own, other] = meeting.points;
            format!("{first} {own} : {other} {second}")
        });
        let byes = round.byes.iter();
        let byes = byes.map(|name| format!("{} has a bye", one_line(name)));
        let words: Vec<String> = meetings.chain(byes).collect();
        lines.push(format!("round {number}: {}", words.join(", ")));
    }
    let bye = match table.rounds.iter().any(|round| !round.byes.is_empty()) {
        true => format!("; a bye counts {}", table.bye),
        false => String::new(),
    };
    let (n_rounds, n_planned) = (table.rounds.len(), table.n_planned);
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
        let share = if high > low {
            (value - low) / (high - low)
        } else {
            0.5
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
    fn seconds_have_three_digits_or_so() {
        let shown = [0.0, 0.000_25, 0.0042, 0.25, 2.5, 1234.5].map(super::seconds);
        assert_eq!(
            shown,
            ["0 µs", "250 µs", "4.2 ms", "250 ms", "2.50 s", "1234 s"]
        );
    }

    #[test]
    fn nothing_has_no_minus_sign() {
        let shown =
            [-0.0, -0.004, -0.006].map(|value| super::interval(Interval { value, error: 1.0 }, 2));
        assert_eq!(
            shown,
            ["+0.00 +/- 1.00", "+0.00 +/- 1.00", "-0.01 +/- 1.00"]
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
