//! `linesman stats`: numbers from records alone.

use std::io::{self, Write};
use std::process::ExitCode;

use referee::stats::{Report, Sprt, SprtStatus, TimeUse, time_use};

use crate::args::StatsArgs;
use crate::output::{json_text, printable};
use crate::source::{self, Source};
use crate::usage::Failure;
use crate::{keys, report};

/// Shows the numbers of all files together.
pub(crate) fn run(args: &StatsArgs) -> Result<ExitCode, Failure> {
    let sources = source::read_all(&args.files)?;
    let asked = args.sprt.as_deref().map(keys::sprt).transpose()?;
    let planned = sources.iter().find_map(|source| source.plan.as_ref()?.sprt);
    let plan = sources.iter().find_map(|source| source.plan.clone());
    let times: Vec<TimeUse> = sources.iter().flat_map(times).collect();
    let games: Vec<_> = sources.into_iter().map(|source| source.games).collect();
    let mut numbers = Report::of(games);
    if let Some(plan) = &plan {
        numbers = numbers.seen_in_order(&plan.names());
    }
    let status = match asked {
        Some(test) => Some(judge(test, &numbers)?),
        // The test of a ledger judges two players; with more of them there is nothing to judge.
        None => planned.and_then(|test| judge(test, &numbers).ok()),
    };
    let mut out = io::stdout().lock();
    let shown = if args.json {
        let value = serde_json::json!({"report": numbers, "sprt": status, "times": times});
        out.write_all(json_text(&value.to_string()).as_bytes())
            .and_then(|()| writeln!(out))
    } else {
        let clocks = report::clocks(&times);
        let text = report::text(&numbers, status.as_ref()) + &clocks;
        write!(out, "{}", printable(&text))
    };
    shown.map_err(Failure::Output)?;
    Ok(ExitCode::SUCCESS)
}

/// How the players of one ledger used their time.
fn times(source: &Source) -> Vec<TimeUse> {
    let engines = source.plan.iter().flat_map(|plan| &plan.engines);
    let named = engines.filter_map(|engine| Some((engine.name.as_deref()?, engine.limit)));
    time_use(&named.collect::<Vec<_>>(), &source.games)
}

fn judge(test: Sprt, numbers: &Report) -> Result<SprtStatus, Failure> {
    match numbers.duels.as_slice() {
        [duel] => Ok(test.status(&duel.sample())),
        duels => {
            let met = duels.len();
            Err(Failure::Usage(format!(
                "--sprt: {met} pairs of players met: expected one"
            )))
        }
    }
}
