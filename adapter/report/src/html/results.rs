//! Results: the standing, the crosstable, Elo and the SPRT.

use maud::{Markup, html};
use protocol::text::one_line;
use record::stats::{Elo, Row};

use super::{heads, name, short_name, table};
use crate::{MatchReport, words};

/// The result of a match between two players, in a few sentences.
pub(super) fn lead(report: &MatchReport) -> Markup {
    let [duel] = report.numbers.duels.as_slice() else {
        return html! { @if report.summary.games.is_empty() { p.lead { "No finished games." } } };
    };
    let (own, games) = (duel.wdl.score(), duel.wdl.games() as f64);
    html! {
        p.lead {
            (name(&duel.player)) " " strong { (own) " : " (games - own) } " " (name(&duel.opponent))
            @if let Some(elo) = bounded(duel.elo) {
                ", Elo " (words::interval(elo.elo, 1)) ", likelihood of superiority " (words::percent(elo.los))
            } @else if !duel.is_forced() { ". Too few games for an Elo difference" }
            "."
        }
        @if duel.is_forced() { p.line { (words::FORCED) "." } }
        @if let Some(sprt) = &report.sprt { p { (words::sprt(sprt)) "." } }
    }
}

pub(super) fn tables(report: &MatchReport) -> Markup {
    let rows = report.numbers.best_first();
    html! {
        @if !rows.is_empty() {
            section {
                h2 { "Standing" }
                (standing(report, &rows))
                @for line in words::remarks(&report.numbers) { p.line { (line) "." } }
            }
            @for table in report.rounds() {
                section {
                    h2 { "Rounds" }
                    @for line in words::rounds(&table) { p { bdi { (line) } } }
                }
            }
            @if rows.len() > 2 { section { h2 { "Crosstable" } (cross_table(report, &rows)) } }
            section { h2 { "Elo" } (elo(report)) }
        }
    }
}

fn standing(report: &MatchReport, rows: &[&Row]) -> Markup {
    let rows = html! {
        @for (row, number) in rows.iter().zip(1..) {
            tr {
                td.n { (number) }
                th scope="row" { (name(&row.name)) }
                td.n { (row.total().score()) }
                td.n { (row.total().games()) }
                td.n { (format!("{:.1}", 100.0 * row.share())) }
                td.n { (words::wdl(row.as_p1)) }
                td.n { (words::wdl(row.as_p2)) }
                td.n { (words::rating(&report.numbers, row)) }
            }
        }
    };
    let heads = heads(">#|engine|>points|>games|>%|>as first|>as second|>rating");
    table("Standing", "", heads, rows)
}

fn cross_table(report: &MatchReport, rows: &[&Row]) -> Markup {
    let heads = html! {
        (heads(">#|engine"))
        @for (row, number) in rows.iter().zip(1..) {
            th.n scope="col" { abbr title=(one_line(&row.name)) { (number) } }
        }
    };
    let body = html! {
        @for (row, number) in rows.iter().zip(1..) {
            tr {
                td.n { (number) }
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
        (heads("engines|>games|>pairs: 0, ½, 1, 1½, 2|>Elo|>normalized"))
        th.n scope="col" { abbr title="likelihood of superiority" { "LOS" } }
    };
    let rows = html! {
        @for duel in &report.numbers.duels {
            tr {
                th scope="row" { (name(&duel.player)) " vs " (name(&duel.opponent)) }
                td.n { (words::wdl(duel.wdl)) }
                td.n { @if duel.pairs.total() > 0 { (words::pairs(&duel.pairs)) } @else { "–" } }
                @match bounded(duel.elo) {
                    _ if duel.is_forced() => td.n.none colspan="3" { "the side of the board decides" },
                    Some(elo) => {
                        td.n { (words::interval(elo.elo, 1)) }
                        td.n { (words::interval(elo.nelo, 1)) }
                        td.n { (words::percent(elo.los)) }
                    },
                    None => td.n.none colspan="3" { (words::TOO_FEW) },
                }
            }
        }
    };
    let caption = "From the first engine's side, with 95 % intervals. Openings that were played with sides swapped \
                   count as pairs.";
    table("Elo", caption, heads, rows)
}

fn bounded(elo: Option<Elo>) -> Option<Elo> {
    elo.filter(|elo| elo.elo.is_bounded() && elo.nelo.is_bounded())
}
