//! Formatting of statistics in words, for all kinds of reports.

use kit::fen::counted;
use record::stats::{
    Decision, Elo, Interval, MeetingRow, Model, RoundRow, RoundTable, SprtStatus, Wdl,
};

use protocol::text::one_line;

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

#[cfg(test)]
mod tests {
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
}
