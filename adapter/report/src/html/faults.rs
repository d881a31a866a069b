//! The section on engine faults.

use maud::{Markup, html};
use record::stats::Fault;

use super::names::{name, numbers, table, texts};
use crate::MatchReport;
use protocol::text::{one_line, printable};

pub(super) fn section(report: &MatchReport) -> Markup {
    let faults = &report.summary.faults;
    if faults.last().len() == 0 {
        return html! {};
    }
    let heads = html! {
        (texts(&["engine"])) (numbers(&["illegal moves", "lost on time", "crashed or hung"]))
    };
    let rows = html! {
        @for (player, counts) in faults.counts() {
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
            @if faults.counts().len() > 0 { (table("Games lost by faults", caption, heads, rows)) }
            h3 { "The last ones" }
            @for fault in faults.last() { (one(fault, report.summary.n_sources() > 1)) }
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
