//! `linesman match`: a match from its plan to its last output.
//!
//! `plan` makes checked values of the arguments and opens the files next to the ledger; this module begins a new match,
//! `games` resumes an old one and plays either, while `live` shows it.

use std::process::{self, ExitCode};
use std::sync::OnceLock;

use record::event::Recorder;
use record::ledger::{LedgerWriter, NO_LINES};
use record::plan::Plan;
use record::registry::Registry;
use record::schedule::Schedule;
use record::stats::Summary;
use referee::host::Host;
use referee::process::Orphans;
use referee::stop::Stop;
use referee::tournament::Tournament;

use self::games::{connect, play};
use crate::args::MatchArgs;
use crate::config;
use crate::output::say;
use crate::platform::{self, Wish};
use crate::program::linesman;
use crate::records::render;
use crate::records::trust::begun_here;
use crate::usage::{Failure, INTERRUPTED, OrFail, warn};

pub(crate) mod games;
mod live;
pub mod openings;
pub(crate) mod plan;

pub use games::Machines;

/// Plays the match that the arguments describe, on this machine if there are no others. Returns the exit status.
pub fn run(
    args: &MatchArgs,
    registry: Registry,
    machines: Option<&dyn Machines>,
) -> Result<ExitCode, Failure> {
    let host = host(registry)?;
    let _orphans = Orphans::adopt();
    if let Some(path) = &args.resume {
        return games::resume(path, args, host, machines);
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
    let outputs = plan::open_outputs(&plan, None, host.registry)?;
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
    let mut schedule = Schedule::new(plan);
    while let Some(slot) = schedule.take() {
        if host.stop.is_asked() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        say(&render::slot(plan, &slot, rules.as_ref()))?;
    }
    if schedule.has_later_rounds() {
        say("Later rounds depend on the results of these games")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The environment of engines: `linesman` as the built-in engine, and a stop that nothing triggers.
pub fn quiet_host(registry: Registry) -> Result<Host, Failure> {
    Ok(Host {
        registry,
        executable: linesman()?,
        stop: Stop::default(),
    })
}

/// The stop of the match, once there is one.
static STOP: OnceLock<Stop> = OnceLock::new();

/// As [`quiet_host`], with a stop that signals trigger after [`heed_signals`].
pub fn host(registry: Registry) -> Result<Host, Failure> {
    let host = quiet_host(registry)?;
    let _ = STOP.set(host.stop.clone());
    Ok(host)
}

/// The first SIGINT lets the running games finish; a second one, SIGTERM and SIGHUP stop at once. Before the match has a
/// host, each of them ends the program.
pub fn heed_signals() -> Result<(), Failure> {
    platform::on_signals(|wish| {
        let Some(stop) = STOP.get() else {
            Failure::Interrupted.report();
            process::exit(INTERRUPTED.into());
        };
        if wish == Wish::Terminate || stop.is_asked() {
            return stop.now();
        }
        stop.after_games();
        warn("finishing the running games; interrupt again to stop at once");
    })
}
