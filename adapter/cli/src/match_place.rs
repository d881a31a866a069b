//! Where the games of a match are played: here, or by workers elsewhere, where this program is built with the feature
//! `fleet`: the one place of a match that asks.

use referee::event::{Broadcast, Recorder};
use referee::plan::Plan;
use referee::record::GameRecord;
use referee::tournament::{Conclusion, Host, MatchError, Tournament};

use crate::args::MatchArgs;
#[cfg(feature = "fleet")]
use crate::fleet::{Announced, Fleet};
use crate::match_::warn_of_crowd;
#[cfg(feature = "fleet")]
use crate::plan::usage;
use crate::usage::Failure;

/// Where the games are played.
pub(crate) enum Place {
    /// On this machine.
    Here,
    /// By workers.
    #[cfg(feature = "fleet")]
    Fleet(Box<Fleet>),
}

/// A place that is ready for a match.
pub(crate) enum Ready {
    Here,
    #[cfg(feature = "fleet")]
    Fleet(Box<Announced>),
}

impl Place {
    /// The place that the arguments ask for; there is a server if they name one. Where workers play, the engines are started
    /// here once each, to be known.
    pub(crate) fn of(args: &MatchArgs, plan: &mut Plan) -> Result<Place, Failure> {
        #[cfg(feature = "fleet")]
        if args.fleet.fleet.is_some() {
            refuse_for_workers(plan)?;
        }
        #[cfg(feature = "fleet")]
        if let Some(fleet) = Fleet::connect(&args.fleet)? {
            plan.concurrency = 1;
            plan.affinity = None;
            return Ok(Place::Fleet(Box::new(fleet)));
        }
        let _ = (args, plan);
        Ok(Place::Here)
    }

    /// Makes it ready for a match whose engines are.
    pub(crate) fn open(&self, plan: &Plan, host: &Host) -> Result<Ready, Failure> {
        match self {
            Place::Here => {
                let _ = host;
                warn_of_crowd(plan);
                Ok(Ready::Here)
            }
            #[cfg(feature = "fleet")]
            Place::Fleet(fleet) => {
                let announced = fleet.announce(plan, host)?;
                Ok(Ready::Fleet(Box::new(announced)))
            }
        }
    }
}

/// What workers cannot do. A new match is refused it by its flags, a resumed one has it in its ledger.
#[cfg(feature = "fleet")]
fn refuse_for_workers(plan: &Plan) -> Result<(), Failure> {
    match plan.adjudicate_table {
        None => Ok(()),
        Some(_) => Err(usage(
            "--fleet",
            &"a table ends the games of this match, which workers do not have: expected a match without --adjudicate-table",
        )),
    }
}

impl Ready {
    /// Who plays them, for the page of the match, where others do.
    #[cfg(feature = "gui")]
    pub(crate) fn workers(&self) -> Option<gui::WorkerList> {
        match self {
            Ready::Here => None,
            #[cfg(feature = "fleet")]
            Ready::Fleet(announced) => Some(announced.workers()),
        }
    }

    /// Plays the games that are not `done`.
    pub(crate) fn run(
        self,
        tournament: Tournament,
        done: &[GameRecord],
        recorders: &mut [Box<dyn Recorder>],
        watchers: &Broadcast,
    ) -> Result<Conclusion, MatchError> {
        match self {
            Ready::Here => tournament.run(done, recorders, watchers),
            #[cfg(feature = "fleet")]
            Ready::Fleet(announced) => announced.run(tournament, done, recorders, watchers),
        }
    }
}
