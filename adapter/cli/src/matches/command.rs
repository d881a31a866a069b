//! `linesman match`: a match from its plan to its last output.

use std::io::{self, Write};
use std::process::ExitCode;

use record::event::Recorder;
use record::ledger::{LedgerWriter, NO_LINES};
use record::plan::Plan;
use record::registry::Registry;
use record::schedule::Schedule;
use record::stats::Summary;
use referee::host::Host;
use referee::process::Orphans;
use referee::tournament::Tournament;

use super::{outputs, plan, resume};
use crate::args::MatchArgs;
use crate::config;
use crate::matches::games::{Machines, connect, play};
use crate::matches::host::host;
use crate::output::printable;
use crate::records::render;
use crate::records::user_state::begun_here;
use crate::usage::{Failure, INTERRUPTED, OrFail};

/// Plays the match that the arguments describe, on this machine if there are no others. Returns the exit status.
pub fn run(
    args: &MatchArgs,
    registry: Registry,
    machines: Option<&dyn Machines>,
) -> Result<ExitCode, Failure> {
    let host = host(registry)?;
    let _orphans = Orphans::adopt();
    if let Some(path) = &args.resume {
        return resume::run(path, args, host, machines);
    }
    let plan = plan::build(args, registry)?;
    if let Some(path) = &args.new.save_plan {
        config::save(path, &plan)?;
    }
    match args.new.dry_run {
        true => dry_run(&plan, &host),
        false => begin(plan, args, &host, machines),
    }
}

fn begin(
    mut plan: Plan,
    args: &MatchArgs,
    host: &Host,
    machines: Option<&dyn Machines>,
) -> Result<ExitCode, Failure> {
    if let Some(machines) = machines {
        connect(machines, &mut plan)?;
    }
    let mut tournament = Tournament::prepare(plan, host)?;
    let mut plan = tournament.runner.plan.clone();
    // They report a file that cannot be created before there is a ledger.
    let outputs = outputs::open(&plan, None, host.registry)?;
    let (sync, list) = (args.sync, begun_here());
    let ledger = match args.new.ledger {
        Some(_) => LedgerWriter::create(&plan.ledger, &plan, NO_LINES, sync, list.as_ref()),
        None => LedgerWriter::create_unused(&mut plan, NO_LINES, sync, list.as_ref()),
    };
    let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(ledger.or_fail()?)];
    recorders.extend(outputs);
    tournament.runner.plan.ledger = plan.ledger;
    let done = Summary::of(&tournament.runner.plan);
    play(tournament, machines, done, recorders, host, args.output)
}

fn dry_run(plan: &Plan, host: &Host) -> Result<ExitCode, Failure> {
    let rules = host.registry.rules(&plan.game).ok().flatten();
    let mut out = io::stdout().lock();
    let mut schedule = Schedule::new(plan);
    while let Some(slot) = schedule.take() {
        if host.stop.is_asked() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let line = render::slot(plan, &slot, rules.as_ref());
        writeln!(out, "{}", printable(&line)).map_err(Failure::Output)?;
    }
    if schedule.has_later_rounds() {
        let line = "Later rounds depend on the results of these games";
        writeln!(out, "{line}").map_err(Failure::Output)?;
    }
    Ok(ExitCode::SUCCESS)
}
