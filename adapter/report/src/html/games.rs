//! The sections on games: those that an engine lost by a fault, and the list of all.

use maud::{Markup, html};
use protocol::text::{one_line, printable};
use record::game::Termination;
use record::stats::Fault;

use super::{heads, name, short_name, table};
use crate::MatchReport;

/// Lists the last `max` games, newest first.
pub(super) fn list(report: &MatchReport, max: usize) -> Markup {
    let games = &report.summary.games;
    let names: Vec<&str> = report.summary.names().collect();
    let has_sources = report.summary.n_sources > 1;
    let heads = html! {
        @if has_sources { (heads(">file")) }
        (heads(">game|p1|p2|result|reason|>plies"))
    };
    let rows = html! {
        @for game in games.iter().rev().take(max) {
            tr data-game=(game.game) {
                @if has_sources { td.n { (game.source + 1) } }
                th.n scope="row" { (game.game) }
                @for player in game.players { td { (short_name(names[player])) } }
                td { (game.result) }
                @let is_usual = matches!(game.termination, Termination::Normal | Termination::Adjudication);
                td.bad[!is_usual] { (one_line(&game.reason)) }
                td.n { (game.plies) }
            }
        }
    };
    html! {
        @if !games.is_empty() {
            section.games {
                h2 { "Games" }
                @if games.len() > max { p.muted { "The last " (max) " of " (games.len()) ", the newest first." } }
                (table("Games", "", heads, rows))
            }
        }
    }
}

pub(super) fn faults(report: &MatchReport) -> Markup {
    let faults = &report.summary.faults;
    let heads = heads("engine|>illegal moves|>lost on time|>crashed or hung");
    let rows = html! {
        @for (player, counts) in &faults.counts {
            tr {
                th scope="row" { (name(player)) }
                td.n { (counts.illegal) }
                td.n { (counts.late) }
                td.n { (counts.abandoned) }
            }
        }
    };
    let caption = "Games that an engine lost by a fault.";
    html! {
        @if !faults.last.is_empty() {
            section {
                h2 { "What went wrong" }
                @if !faults.counts.is_empty() { (table("Games lost by faults", caption, heads, rows)) }
                h3 { "The last ones" }
                @for fault in &faults.last { (one(fault, report.summary.n_sources > 1)) }
            }
        }
    }
}

fn one(fault: &Fault, has_sources: bool) -> Markup {
    let title = html! {
        @if has_sources { "File " (fault.source + 1) ", game " } @else { "Game " }
        (fault.game) ": " (one_line(&fault.reason))
    };
    let Some(report) = &fault.report else {
        return html! { p { (title) } };
    };
    html! {
        details id=(format!("fault-{}-{}", fault.source, fault.game)) {
            summary { (title) }
            pre tabindex="0" aria-label=(format!("Last lines of game {}", fault.game)) {
                (one_line(&report.position)) "\n"
                @for line in &report.lines { (one_line(line)) "\n" }
            }
            @if !report.stderr.trim().is_empty() {
                p.muted { "Standard error:" }
                pre tabindex="0" aria-label=(format!("Standard error of game {}", fault.game)) { (printable(&report.stderr)) }
            }
        }
    }
}
