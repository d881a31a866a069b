//! What a table begins with, whichever way it was opened.

use std::net::SocketAddr;
use std::sync::Arc;

use record::engine_spec::EngineSpec;
use record::plan::Plan;
use record::table::SeatId;
use referee::host::Host;
use table::journal::Journal;
use table::{LevelChoice, OpenTable, SessionError, TableError, TableSetup};

use crate::args::{PlayArgs, TableArgs};
use crate::platform::CaughtSignals;
use crate::play::ratings::OwnRatings;
use crate::play::socket::Server;
use crate::records::trust;
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

/// Opens the address of `--listen`, or else that of the ledger. Called before the table is opened, so that a failure
/// creates no ledger.
pub(crate) fn open_socket(
    args: &PlayArgs,
    recorded: Option<SocketAddr>,
) -> Result<Option<Server>, Failure> {
    match (&args.listen, recorded) {
        (Some(text), _) => Server::open(text).map(Some),
        (None, Some(address)) => Server::open_again(address).map(Some),
        (None, None) if args.password.is_some() => {
            Err(usage("--password", "guests cannot join: expected --listen"))
        }
        (None, None) => Ok(None),
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
        key: trust::signing_key(&plan),
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
