//! Results: the standing, the crosstable, Elo and the SPRT.

use maud::{Markup, html};
use protocol::text::one_line;
use record::stats::{Duel, Elo, Row};

use super::{heads, name, short_name, table};
use crate::{MatchReport, words};

/// The result of a match between two players, in a few sentences.
pub(super) fn lead(report: &MatchReport) -> Markup {
    let [duel] = report.numbers.duels.as_slice() else {
        return html! { @if report.summary.games.is_empty() { p.lead { "No finished games." } } };
    };
    let total = duel.wdl.games() as f64;
    let (own, other) = (duel.wdl.score(), total - duel.wdl.score());
    html! {
        p.lead {
            (name(&duel.player)) " " strong { (own) " : " (other) } " " (name(&duel.opponent))
            @if let Some(elo) = bounded(duel.elo) {
                ", Elo " (words::interval(elo.elo, 1)) ", likelihood of superiority " (percent(elo.los))
            } @else if !duel.is_forced() { ". Too few games for an Elo difference" }
            "."
        }
        @if duel.is_forced() {
            p { "Nearly all pairs are one win each: the side of the board decides, and the Elo estimate is meaningless." }
        }
        @if let Some(sprt) = &report.sprt { p { (words::sprt(sprt)) "." } }
    }
}

pub(super) fn tables(report: &MatchReport) -> Markup {
    let numbers = &report.numbers;
    if numbers.tally.rows.is_empty() {
        return html! {};
    }
    let rows = numbers.best_first();
    html! {
        section {
            h2 { "Standing" }
            (standing(report, &rows))
            (remarks(report))
        }
        @for table in report.rounds() {
            section {
                h2 { "Rounds" }
                @for line in words::rounds(&table) { p { bdi { (line) } } }
            }
        }
        @if rows.len() > 2 {
            section {
                h2 { "Crosstable" }
                (cross_table(report, &rows))
            }
        }
        section {
            h2 { "Elo" }
            (elo(report))
        }
    }
}

fn standing(report: &MatchReport, rows: &[&Row]) -> Markup {
    let rating = |row: &Row| {
        let mut players = report.numbers.ratings.players.iter();
        let rated = players.find(|player| player.name == row.name);
        rated.map_or_else(
            || words::TOO_FEW.to_owned(),
            |player| words::bounded(player.elo, 0),
        )
    };
    let heads = heads(&[
        ">#",
        "engine",
        ">points",
        ">games",
        ">%",
        ">as first",
        ">as second",
        ">rating",
    ]);
    let rows = html! {
        @for (index, row) in rows.iter().enumerate() {
            tr {
                td.n { (index + 1) }
                th scope="row" { (name(&row.name)) }
                td.n { (row.total().score()) }
                td.n { (row.total().games()) }
                td.n { (format!("{:.1}", 100.0 * row.share())) }
                td.n { (words::wdl(row.as_p1)) }
                td.n { (words::wdl(row.as_p2)) }
                td.n { (rating(row)) }
            }
        }
    };
    table("Standing", "", heads, rows)
}

/// A rating if the games bound it; a player with only wins or only losses has none.
/// Statistics over all games.
fn remarks(report: &MatchReport) -> Markup {
    let numbers = &report.numbers;
    let (first, repeats) = (&numbers.first_mover, &numbers.repeats);
    html! {
        @if first.wdl.games() > 0 {
            p {
                "The first player scored " (words::wdl(first.wdl)) ", " (percent(first.score.value))
                @if first.score.error > 0.0 { " +/- " (percent(first.score.error)) }
                "."
            }
        }
        @if repeats.distinct < repeats.games {
            p {
                "Only " (repeats.distinct) " of " (repeats.games) " games are distinct. They count as "
                (format!("{:.1}", repeats.effective)) " independent games."
            }
        }
        @if numbers.tally.unknown > 0 {
            p { (words::left_out(numbers.tally.unknown)) "." }
        }
    }
}

fn cross_table(report: &MatchReport, rows: &[&Row]) -> Markup {
    let heads = html! {
        (heads(&[">#", "engine"]))
        @for (index, row) in rows.iter().enumerate() {
            th.n scope="col" { abbr title=(one_line(&row.name)) { (index + 1) } }
        }
    };
    let body = html! {
        @for (index, row) in rows.iter().enumerate() {
            tr {
                td.n { (index + 1) }
                th scope="row" { (short_name(&row.name)) }
                @for opponent in rows {
                    @match report.numbers.points(&row.name, &opponent.name) {
                        Some((points, games)) => td.n { (points) "/" (games) },
                        None => td.n.none { "–" },
                    }
                }
            }
        }
    };
    let caption = "Points of each engine against each other, of the games played.";
    table("Crosstable", caption, heads, body)
}

fn elo(report: &MatchReport) -> Markup {
    let heads = html! {
        (heads(&["engines", ">games", ">pairs: 0, ½, 1, 1½, 2", ">Elo", ">normalized"]))
        th.n scope="col" { abbr title="likelihood of superiority" { "LOS" } }
    };
    let rows = html! { @for duel in &report.numbers.duels { (elo_row(duel)) } };
    let caption = "From the first engine's side, with 95 % intervals. Openings that were played with sides swapped \
                   count as pairs.";
    table("Elo", caption, heads, rows)
}

fn elo_row(duel: &Duel) -> Markup {
    let pairs = duel.pairs.counts.map(|count| count.to_string()).join(" ");
    html! {
        tr {
            th scope="row" { (name(&duel.player)) " vs " (name(&duel.opponent)) }
            td.n { (words::wdl(duel.wdl)) }
            td.n { @if duel.pairs.total() > 0 { (pairs) } @else { "–" } }
            @match bounded(duel.elo) {
                _ if duel.is_forced() => td.n.none colspan="3" { "the side of the board decides" },
                Some(elo) => {
                    td.n { (words::interval(elo.elo, 1)) }
                    td.n { (words::interval(elo.nelo, 1)) }
                    td.n { (percent(elo.los)) }
                },
                None => td.n.none colspan="3" { (words::TOO_FEW) },
            }
        }
    }
}

fn bounded(elo: Option<Elo>) -> Option<Elo> {
    elo.filter(|elo| elo.elo.is_bounded() && elo.nelo.is_bounded())
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
