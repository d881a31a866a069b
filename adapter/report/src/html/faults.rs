//! The section on engine faults.

use maud::{Markup, html};
use record::stats::Fault;

use super::names::name;
use crate::MatchReport;
use protocol::text::{one_line, printable};

pub(super) fn section(report: &MatchReport) -> Markup {
    let faults = &report.summary.faults;
    if faults.last().len() == 0 {
        return html! {};
    }
    html! {
        section {
            h2 { "What went wrong" }
            @if faults.counts().len() > 0 {
                div.table tabindex="0" role="region" aria-label="Games lost by faults" {
                    table {
                        caption { "Games that an engine lost by a fault." }
                        thead { tr {
                            th scope="col" { "engine" }
                            th.n scope="col" { "illegal moves" }
                            th.n scope="col" { "lost on time" }
                            th.n scope="col" { "crashed or hung" }
                        } }
                        tbody {
                            @for (player, counts) in faults.counts() {
                                tr {
                                    th scope="row" { (name(player)) }
                                    td.n { (counts.illegal) }
                                    td.n { (counts.late) }
                                    td.n { (counts.abandoned) }
                                }
                            }
                        }
                    }
                }
            }
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
