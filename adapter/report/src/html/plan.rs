//! The section on the plan of the match.

use std::path::Path;

use maud::{Markup, html};
use protocol::text::one_line;
use record::engine_spec::{EngineSpec, Program};
use record::opening::source::{Balance, OpeningSource};
use record::plan::Plan;

use super::name;
use crate::MatchReport;

pub(super) fn section(report: &MatchReport) -> Markup {
    let plans = report.plans.iter().flatten();
    let n_plans = plans.clone().count();
    html! {
        @for (index, plan) in plans.enumerate() {
            section {
                h2 { "Plan" @if n_plans > 1 { " of match " (index + 1) } }
                (one(plan))
            }
        }
    }
}

fn one(plan: &Plan) -> Markup {
    let swaps = if plan.swaps {
        "twice, with sides swapped"
    } else {
        "once"
    };
    html! {
        dl {
            dt { "Game" } dd { (one_line(&plan.game.to_string())) }
            dt { "Games" } dd { (plan.games) " of each pairing; " (plan.format.in_words()) "; each opening " (swaps) }
            @for engine in &plan.engines { dt { "Engine" } dd { (describe(engine)) } }
            dt { "Openings" } dd { (one_line(&openings(plan))) }
            dt { "Seed" } dd { (plan.srand) }
            @if let Some(test) = plan.sprt {
                dt { "Test" }
                dd { "SPRT elo0=" (test.elo0) " elo1=" (test.elo1) " alpha=" (test.alpha) " beta=" (test.beta) }
            }
            dt { "At once" } dd { (plan.concurrency) @if plan.concurrency == 1 { " game" } @else { " games" } }
            @if !plan.id.is_empty() { dt { "Id" } dd { (one_line(&plan.id)) } }
        }
    }
}

/// Describes an engine with its limit and options. Shows only the file name of its program, because folders and
/// arguments may be private.
fn describe(engine: &EngineSpec) -> Markup {
    let program = match &engine.program {
        Program::Builtin => "built-in".to_owned(),
        Program::Person => "a person".to_owned(),
        Program::Command { path, .. } => file_name(path),
    };
    html! {
        (name(engine.name.as_deref().unwrap_or("without a name"))) " (" (one_line(&program)) "), " (engine.limit)
        @if engine.ponder { ", ponders" }
        @for (name, value) in &engine.options {
            ", " (one_line(name)) @if let Some(value) = value { "=" (one_line(value)) }
        }
    }
}

fn openings(plan: &Plan) -> String {
    let n = plan.openings.len();
    match &plan.opening_source {
        Some(OpeningSource::None) => "the start position".to_owned(),
        Some(OpeningSource::Random { plies }) => format!("{plies} random plies"),
        Some(OpeningSource::Balanced(Balance {
            plies,
            score,
            nodes,
        })) => {
            format!("{plies} random plies, score at most {score} either way after {nodes} nodes")
        }
        Some(OpeningSource::File { path, .. } | OpeningSource::Book { path, .. }) => {
            format!("{n} from {}", file_name(path))
        }
        None => n.to_string(),
    }
}

fn file_name(path: &Path) -> String {
    let file = path.file_name().map_or(path, Path::new);
    file.display().to_string()
}
