//! The section on the plan of the match.

use std::path::Path;

use maud::{Markup, html};
use record::engine_spec::{EngineSpec, Program};
use record::opening::source::{Balance, OpeningSource};
use record::plan::Plan;

use super::name;
use crate::MatchReport;
use protocol::text::one_line;

pub(super) fn section(report: &MatchReport) -> Markup {
    html! {
        @for (index, plan) in report.plans.iter().enumerate() {
            section {
                h2 { "Plan" @if report.plans.len() > 1 { " of match " (index + 1) } }
                (one(plan))
            }
        }
    }
}

fn one(plan: &Plan) -> Markup {
    let swaps = if plan.swaps {
        "each opening twice, with sides swapped"
    } else {
        "each opening once"
    };
    html! {
        dl {
            dt { "Game" } dd { (one_line(&plan.game.to_string())) }
            dt { "Games" } dd { (plan.games) " of each pairing; " (plan.format.in_words()) "; " (swaps) }
            @for engine in &plan.engines {
                dt { "Engine" } dd { (describe(engine)) }
            }
            dt { "Openings" } dd { (openings(plan)) }
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
        Program::Command { path, .. } => {
            let file = path.file_name().map_or(path.as_path(), Path::new);
            one_line(&file.display().to_string()).into_owned()
        }
    };
    let option = |(name, value): &(String, Option<String>)| match value {
        Some(value) => format!(", {name}={value}"),
        None => format!(", {name}"),
    };
    let options: String = engine.options.iter().map(option).collect();
    html! {
        (name(engine.name.as_deref().unwrap_or("without a name"))) " (" (program) "), " (engine.limit)
        @if engine.ponder { ", ponders" }
        (one_line(&options))
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
            let file = path.file_name().map_or(path.as_path(), Path::new).display();
            one_line(&format!("{n} from {file}")).into_owned()
        }
        None => format!("{n}"),
    }
}
