//! The place where the games of a match are played: this machine or the workers of a server.

use std::io::{self, Write};
use std::num::NonZero;
use std::thread::available_parallelism;

use record::event::Recorder;
use record::finished::FinishedGames;
use record::plan::Plan;
use referee::broadcast::Broadcast;
use referee::host::Host;
use referee::match_error::MatchError;
use referee::scoreboard::Conclusion;
use referee::tournament::Tournament;

use crate::args::MatchArgs;
use crate::fleet::{Announced, Fleet};
use crate::usage::{Failure, refuse};

/// The place where the games are played.
pub(crate) enum Place {
    /// On this machine.
    Here,
    /// On the machines of workers.
    Fleet(Box<Fleet>),
}

/// A place that is ready for a match.
pub(crate) enum Ready {
    Here,
    Fleet(Box<Announced>),
}

impl Place {
    /// The place that the arguments select; connects to the server if they name one. For workers, each engine is
    /// first started here once, to read its name and options.
    pub(crate) fn of(args: &MatchArgs, plan: &mut Plan) -> Result<Place, Failure> {
        if args.fleet.fleet.is_some() {
            refuse_for_workers(plan)?;
        }
        if let Some(fleet) = Fleet::connect(&args.fleet)? {
            plan.concurrency = 1;
            plan.affinity = None;
            return Ok(Place::Fleet(Box::new(fleet)));
        }
        Ok(Place::Here)
    }

    /// Prepares the place for a match whose engines are prepared.
    pub(crate) fn open(&self, plan: &Plan, host: &Host) -> Result<Ready, Failure> {
        match self {
            Place::Here => {
                warn_of_crowd(plan);
                Ok(Ready::Here)
            }
            Place::Fleet(fleet) => {
                let announced = fleet.announce(plan, host)?;
                Ok(Ready::Fleet(Box::new(announced)))
            }
        }
    }
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

impl Ready {
    /// The workers of the match, for its page; `None` if the games are played here.
    pub(crate) fn workers(&self) -> Option<gui::WorkerList> {
        match self {
            Ready::Here => None,
            Ready::Fleet(announced) => Some(announced.workers()),
        }
    }

    /// Plays the games that are not `done`.
    pub(crate) fn run(
        self,
        tournament: Tournament,
        done: &FinishedGames,
        recorders: &mut [Box<dyn Recorder>],
        watchers: &Broadcast,
    ) -> Result<Conclusion, MatchError> {
        match self {
            Ready::Here => tournament.run(done, recorders, watchers),
            Ready::Fleet(announced) => announced.run(tournament, done, recorders, watchers),
        }
    }
}
