//! The report as HTML.

use maud::{Markup, PreEscaped, html};
use protocol::text::one_line;

use crate::words::{self, shortened};
use crate::{MatchReport, STYLE, plot, plots};

mod games;
mod plan;
mod results;

/// Largest numbers of games listed in a file, and on the page of a running match.
const MAX_GAMES: usize = 5000;
const MAX_RUNNING: usize = 100;

/// Start of every HTML file, up to the version, by which [`is_page`](crate::is_page) recognizes it.
pub(crate) const START: &str = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"generator\" content=\"Linesman ";

impl MatchReport<'_> {
    /// The report as one HTML file.
    pub fn page(&self) -> String {
        let markup = html! {
            (PreEscaped(START)) (env!("CARGO_PKG_VERSION")) (PreEscaped("\">"))
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                    title { (self.title()) }
                    style { (PreEscaped(include_str!("../page.css"))) (PreEscaped(STYLE)) }
                    (PreEscaped("</head>"))
                    body { main { (article(self, MAX_GAMES)) } }
                    (PreEscaped("</html>\n"))
        };
        markup.into_string()
    }

    /// The report as an HTML element with [`STYLE`] as its style sheet. Lists only the last games, so that the page of
    /// a long match stays small. The row of each game has its number as `data-game`.
    pub fn fragment(&self) -> String {
        article(self, MAX_RUNNING).into_string()
    }

    /// The plots as one SVG file.
    pub fn svg(&self) -> String {
        plot::sheet(&self.title(), &plots::all(self))
    }
}

fn article(report: &MatchReport, max_games: usize) -> Markup {
    html! {
        article.report {
            header {
                h1 { bdi { (report.title()) } }
                p.muted { (progress(report)) }
                (results::lead(report))
            }
            (results::tables(report))
            section aria-label="Plots" {
                h2 { "Over the match" }
                div.plots { @for plot in plots::all(report) { figure { (plot.svg()) } } }
            }
            (time(report))
            (games::faults(report))
            (plan::section(report))
            (games::list(report, max_games))
            footer { p.muted { "Linesman " (env!("CARGO_PKG_VERSION")) } }
        }
    }
}

/// The numbers of games played and planned, and the date of the start.
fn progress(report: &MatchReport) -> Markup {
    let n_games = report.summary.games.len();
    let planned = report.n_planned().filter(|planned| n_games < *planned);
    let plans = report.plans.iter().flatten();
    let begun = plans.map(|plan| plan.date.as_str()).min();
    html! {
        (n_games) @if let Some(planned) = planned { " of " (planned) } " games"
        @if let Some(first) = begun.filter(|first| !first.is_empty()) { ", started on " (one_line(first)) }
    }
}

/// The table of time use.
fn time(report: &MatchReport) -> Markup {
    let players = report.summary.times.iter().filter(|time| time.games > 0);
    let heads = heads(
        "engine|limit|>moves|>mean time per move|>longest move|>mean time per game|>lost on time|>least time left",
    );
    let rows = html! {
        @for player in players.clone() {
            tr {
                th scope="row" { (name(&player.name)) }
                td { @if let Some(limit) = player.limit { (limit) } }
                td.n { (player.moves) }
                td.n { (words::seconds(player.seconds / player.moves.max(1) as f64)) }
                td.n { (words::seconds(player.longest)) }
                td.n { (words::seconds(player.seconds / player.games.max(1) as f64)) }
                td.n { (player.forfeits) }
                td.n {
                    @if player.limit.is_none_or(|limit| !limit.is_time()) { "–" }
                    @else if player.overrun > 0.0 { span.bad { (words::seconds(player.overrun)) " over" } }
                    @else { (words::seconds(-player.overrun)) " left" }
                }
            }
        }
    };
    html! { @if players.count() > 0 { section { h2 { "Time" } (table("Time", "", heads, rows)) } } }
}

/// A name in running text. `bdi` isolates its text direction from the surrounding text.
fn name(name: &str) -> Markup {
    html! { bdi { (one_line(name)) } }
}

/// Like [`name`], cut to 24 characters.
fn short_name(name: &str) -> Markup {
    html! { bdi title=(one_line(name)) { (shortened(name, 24)) } }
}

/// A table that scrolls in its own region; the caption may be empty.
fn table(label: &str, caption: &str, heads: Markup, rows: Markup) -> Markup {
    html! {
        div.table tabindex="0" role="region" aria-label=(label) {
            table {
                @if !caption.is_empty() { caption { (caption) } }
                thead { tr { (heads) } }
                tbody { (rows) }
            }
        }
    }
}

/// Heads of columns between `|`, after `>` those of numbers: `engine|>games`.
fn heads(names: &str) -> Markup {
    html! {
        @for name in names.split('|') {
            th.n[name.starts_with('>')] scope="col" { (name.trim_start_matches('>')) }
        }
    }
}
