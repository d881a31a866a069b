//! The sections on games: those that an engine lost by a fault, and the list of all.

use maud::{Markup, html};
use protocol::text::{one_line, printable};
use record::game::Termination;
use record::stats::{Fault, GameLine};

use super::{heads, name, short_name, table};
use crate::MatchReport;

/// Lists the last `max` games, newest first.
pub(super) fn list(report: &MatchReport, max: usize) -> Markup {
    let games = &report.summary.games;
    if games.is_empty() {
        return html! {};
    }
    let names: Vec<&str> = report.summary.names().collect();
    let has_sources = report.summary.n_sources > 1;
    let all = [">file", ">game", "p1", "p2", "result", "reason", ">plies"];
    let heads = heads(&all[usize::from(!has_sources)..]);
    let rows = html! {
        @for game in games.iter().rev().take(max) { (row(game, &names, has_sources)) }
    };
    html! {
        section.games {
            h2 { "Games" }
            @if games.len() > max { p.muted { "The last " (max) " of " (games.len()) ", the newest first." } }
            (table("Games", "", heads, rows))
        }
    }
}

fn row(line: &GameLine, names: &[&str], has_sources: bool) -> Markup {
    let is_fault = !matches!(
        line.termination,
        Termination::Normal | Termination::Adjudication
    );
    html! {
        tr data-game=(line.game) {
            @if has_sources { td.n { (line.source + 1) } }
            th.n scope="row" { (line.game) }
            @for player in line.players { td { (short_name(names[player])) } }
            td { (line.result) }
            td.bad[is_fault] { (one_line(&line.reason)) }
            td.n { (line.plies) }
        }
    }
}

pub(super) fn faults(report: &MatchReport) -> Markup {
    let faults = &report.summary.faults;
    if faults.last.is_empty() {
        return html! {};
    }
    let heads = heads(&[
        "engine",
        ">illegal moves",
        ">lost on time",
        ">crashed or hung",
    ]);
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
        section {
            h2 { "What went wrong" }
            @if !faults.counts.is_empty() { (table("Games lost by faults", caption, heads, rows)) }
            h3 { "The last ones" }
            @for fault in &faults.last { (one(fault, report.summary.n_sources > 1)) }
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
