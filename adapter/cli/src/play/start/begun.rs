//! What a table begins with, whichever way it was opened.

use std::sync::Arc;

use record::engine_spec::EngineSpec;
use record::file::read_text;
use record::plan::Plan;
use referee::host::Host;
use table::journal::Journal;
use table::{LevelChoice, OpenTable, SeatId, SessionError, TableError, TableSetup};

use crate::args::{PlayArgs, TableArgs};
use crate::platform::{self, CaughtSignals};
use crate::play::ratings::OwnRatings;
use crate::play::socket::Server;
use crate::records::user_state;
use crate::usage::{Failure, OrFail, plain_trouble, refuse};

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
    let Some(text) = &args.listen else {
        return Ok(None);
    };
    let mut server = Server::open(text)?;
    server.password = password(args)?;
    Ok(Some(server))
}

/// The password that the host chose. It is no word of the command line, which other users of the machine can see.
fn password(args: &PlayArgs) -> Result<Option<String>, Failure> {
    let (flag, word) = match &args.password_file {
        Some(path) => {
            let about = format!("--password-file: {}", path.display());
            let text = read_text(path).or_trouble(about)?;
            let line = text.lines().next().unwrap_or_default();
            ("--password-file", line.trim().to_owned())
        }
        None if args.password => ("--password", platform::ask_secret("Password for guests: ")?),
        None => return Ok(None),
    };
    let is_word = word.chars().all(|c| c.is_ascii_graphic());
    match is_word && (1..=64).contains(&word.len()) {
        true => Ok(Some(word)),
        false => refuse!("{flag}: a password has 1 to 64 visible ASCII characters and no blanks"),
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
