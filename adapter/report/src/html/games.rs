//! The list of games.

use maud::{Markup, html};
use record::game::Termination;
use record::stats::GameLine;

use super::names::short_name;
use crate::MatchReport;
use protocol::text::one_line;

/// Lists the last `max` games, newest first.
pub(super) fn section(report: &MatchReport, max: usize) -> Markup {
    let games = &report.summary.games;
    if games.is_empty() {
        return html! {};
    }
    let names: Vec<&str> = report.summary.names().collect();
    let has_sources = report.summary.n_sources() > 1;
    html! {
        section {
            h2 id="games" { "Games" }
            @if games.len() > max { p.muted { "The last " (max) " of " (games.len()) ", the newest first." } }
            div.table.games tabindex="0" role="region" aria-labelledby="games" {
                table {
                    thead { tr {
                        @if has_sources { th.n scope="col" { "file" } }
                        th.n scope="col" { "game" }
                        th scope="col" { "p1" }
                        th scope="col" { "p2" }
                        th scope="col" { "result" }
                        th scope="col" { "reason" }
                        th.n scope="col" { "plies" }
                    } }
                    tbody {
                        @for game in games.iter().rev().take(max) { (row(game, &names, has_sources)) }
                    }
                }
            }
        }
    }
}

fn row(line: &GameLine, names: &[&str], has_sources: bool) -> Markup {
    let game = &line.game;
    let is_fault = !matches!(
        game.termination,
        Termination::Normal | Termination::Adjudication
    );
    html! {
        tr data-game=(game.game) {
            @if has_sources { td.n { (line.source + 1) } }
            th.n scope="row" { (game.game) }
            td { (short_name(names[game.p1])) }
            td { (short_name(names[game.p2])) }
            td { (game.result) }
            td.bad[is_fault] { (one_line(&line.reason)) }
            td.n { (line.plies) }
        }
    }
}
