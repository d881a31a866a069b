//! What a table begins with, whichever way it was opened.

use std::sync::Arc;

use record::engine_spec::EngineSpec;
use record::plan::Plan;
use referee::host::Host;
use table::journal::Journal;
use table::{LevelChoice, OpenTable, SeatId, SessionError, TableError, TableSetup};

use crate::args::{PlayArgs, TableArgs};
use crate::platform::CaughtSignals;
use crate::play::ratings::OwnRatings;
use crate::play::socket::Server;
use crate::records::user_state;
use crate::usage::{Failure, plain_trouble, usage};

/// A table that was opened.
pub(crate) struct Begun {
    pub(crate) table: OpenTable,
    /// The setup with which the table was opened.
    pub(crate) setup: TableSetup,
    /// The signals, caught before the table was opened, so that none of them ends the program half-way.
    pub(crate) signals: CaughtSignals,
    /// The server for guests, if they can join.
    pub(crate) server: Option<Server>,
    /// What the host is told first.
    pub(crate) note: Option<String>,
}

/// Opens the address of `--listen`. Called before the table is opened, so that a failure creates no ledger.
pub(crate) fn open_socket(args: &PlayArgs) -> Result<Option<Server>, Failure> {
    match &args.listen {
        Some(text) => Server::open(text).map(Some),
        None if args.password.is_some() => {
            Err(usage("--password", "guests cannot join: expected --listen"))
        }
        None => Ok(None),
    }
}

/// The setup of a table.
pub(crate) fn setup(
    args: &TableArgs,
    plan: Plan,
    helper: EngineSpec,
    game: Option<Journal>,
    guests: Vec<SeatId>,
    host: Host,
) -> TableSetup {
    TableSetup {
        secret: user_state::secret().ok(),
        begun_here: user_state::begun_here(),
        game,
        guests,
        may_rename_ledger: args.ledger.is_none(),
        is_adaptive: args.level == Some(LevelChoice::ADAPTIVE),
        ratings: Some(Arc::new(OwnRatings)),
        sync: args.sync.into(),
        ..TableSetup::new(plan, helper, host)
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        match error {
            TableError::Engine(error) => error.into(),
            other => Failure::Trouble(other.to_string()),
        }
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Failure {
        plain_trouble(error)
    }
}
