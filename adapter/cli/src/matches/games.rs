//! The games of a match that is prepared: played, recorded and shown.

use std::io::{self, Write};
use std::num::NonZero;
use std::process::ExitCode;
use std::thread::available_parallelism;

use record::event::Recorder;
use record::finished::FinishedGames;
use record::plan::Plan;
use record::schedule::Schedule;
use referee::broadcast::Broadcast;
use referee::host::Host;
use referee::match_error::MatchError;
use referee::tournament::{RemoteMatch, Tournament};

use crate::args::{MatchArgs, OutputArgs};
use crate::fleet::Fleet;
use crate::gui::{end_match, show_match};
use crate::matches::ending::{complete, interrupted, resume_hint};
use crate::matches::live::Screen;
use crate::usage::{Failure, refuse};

/// Lets workers play the games of a match.
pub(crate) type Coordinate = Box<dyn FnOnce(&mut RemoteMatch<'_, '_>, Schedule)>;

/// Connects to the server whose workers play the match, if the arguments name one. For workers, each engine is first
/// started here once, to read its name and options.
pub(crate) fn connect(args: &MatchArgs, plan: &mut Plan) -> Result<Option<Fleet>, Failure> {
    if args.fleet.fleet.is_some() {
        refuse_for_workers(plan)?;
    }
    let fleet = Fleet::connect(&args.fleet)?;
    if fleet.is_some() {
        plan.concurrency = 1;
        plan.affinity = None;
    }
    Ok(fleet)
}

/// Plays the games that are not `done`, on this machine or by the workers of the server.
pub(crate) fn play(
    tournament: Tournament,
    fleet: Option<&Fleet>,
    done: &FinishedGames,
    mut recorders: Vec<Box<dyn Recorder>>,
    host: &Host,
    output: OutputArgs,
) -> Result<ExitCode, Failure> {
    let plan = tournament.plan();
    let coordinate = fleet.map(|fleet| fleet.announce(plan, host)).transpose()?;
    if coordinate.is_none() {
        warn_of_crowd(plan);
    }
    let (ledger, hint) = (plan.ledger.clone(), resume_hint(plan));
    // The events and the page show each move.
    let watchers = Broadcast::new(output.json || output.gui);
    let page = output.gui.then(|| show_match(&watchers, plan, host));
    let page = page.transpose()?;
    let screen = Screen::open(watchers.watch(), plan, host.registry, output)?;
    let conclusion = match coordinate {
        Some(coordinate) => tournament.coordinate(done, &mut recorders, &watchers, coordinate),
        None => tournament.run(done, &mut recorders, &watchers),
    };
    let shown = match &conclusion {
        Ok(conclusion) => screen.close(conclusion.standing.sprt, &host.stop),
        Err(_) => Ok(()),
    };
    if let Some(page) = page {
        end_match(page, &conclusion, &ledger, &hint, host);
    }
    let conclusion = conclusion.map_err(|error| resumable(error, &hint))?;
    shown?;
    Ok(match conclusion.is_complete {
        true => complete(&conclusion.standing, output),
        false => interrupted(&hint),
    })
}

/// Warns before the first game if the engines keep more cores busy than there are.
fn warn_of_crowd(plan: &Plan) {
    let busy = plan.busy_cores();
    let cores = available_parallelism().map_or(usize::MAX, NonZero::get);
    if busy > cores {
        let games = plan.concurrency;
        let _ = writeln!(
            io::stderr(),
            "warning: --concurrency {games} keeps {busy} cores busy, but this machine has {cores}: engines get less \
             time than their clocks show, and will lose games on time"
        );
    }
}

/// Rejects settings that workers do not support. The flags of a new match exclude them, but a resumed match reads
/// them from its ledger.
fn refuse_for_workers(plan: &Plan) -> Result<(), Failure> {
    match plan.adjudicate_table {
        None => Ok(()),
        Some(_) => refuse!(
            "--fleet: workers do not have the table that ends games: expected a match without --adjudicate-table"
        ),
    }
}

/// Adds the command that resumes the match, since the ledger keeps all finished games.
fn resumable(error: MatchError, hint: &str) -> Failure {
    match error {
        MatchError::Trouble(_) | MatchError::Record(_) => {
            Failure::Trouble(format!("{error}; {hint}"))
        }
        error => error.into(),
    }
}
