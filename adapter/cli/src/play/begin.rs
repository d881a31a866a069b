//! Opening of the table that the arguments describe.

use std::io;
use std::net::SocketAddr;

use referee::plan::{EngineSpec, GameSpec, Plan};
use referee::registry::Registry;
use referee::table::journal::Journal;
use referee::table::{OpenTable, SeatId, TableError, TableSetup, open};
use referee::tournament::Host;

use super::arguments::{self, Defaults};
use super::socket::Server;
use super::{email, menu, resume, size};
use crate::args::{PlayArgs, TableArgs};
use crate::game_name::{missing_game, parse_game};
use crate::plan::usage;
use crate::platform::CaughtSignals;
use crate::usage::Failure;

/// A table that was opened.
pub(crate) struct Begun {
    pub(crate) table: OpenTable,
    /// The setup with which the table was opened.
    pub(crate) setup: TableSetup,
    /// The signals, caught before the table was opened, so that none of them ends the program half-way.
    pub(crate) signals: CaughtSignals,
    /// `true` if its ledger is new.
    pub(crate) is_new: bool,
    /// The server for guests, if they can join.
    pub(crate) server: Option<Server>,
    pub(crate) opening: Opening,
}

/// The state of a table before the first typed line.
#[derive(Debug)]
pub(crate) enum Opening {
    Plain,
    /// The host gets a message.
    Told(String),
    /// The new turn of this e-mail is played.
    Email(String),
    /// The game starts from the board in this text.
    Figure(String),
}

/// Opens a new or a resumed table. `asks` means that the program may ask the user for the game and the size of the
/// board.
pub(crate) fn begin(args: &PlayArgs, host: Host, asks: bool) -> Result<Begun, Failure> {
    if let Some(path) = &args.mail {
        return email::begin(args, path, host);
    }
    if args.resume.is_some() {
        return resume::begin(args, host);
    }
    let server = open_socket(args, None)?;
    let game = game(args, host.registry, asks)?;
    let defaults = Defaults::of(&args.table)?;
    let mut seats = arguments::seats(&args.table, &defaults, args.listen.is_some())?;
    if let Some(file) = &args.learn {
        let engines = seats.iter_mut().flatten().map(|seat| &mut seat.spec);
        arguments::learn(engines, file)?;
    }
    let guests = arguments::guests(&seats, args.listen.is_some())?;
    let plan = arguments::plan(&args.table, game, &seats, Default::default())?;
    let mut setup = setup(&args.table, plan, defaults.helper()?, None, guests, host);
    setup.listen = server.as_ref().map(|server| server.address);
    let signals = catch_signals()?;
    Ok(Begun {
        is_new: true,
        table: open(setup.clone())?,
        setup,
        signals,
        server,
        opening: Opening::Plain,
    })
}

/// The game of the arguments. At a terminal, the program asks the user for missing parts.
fn game(args: &PlayArgs, registry: Registry, asks: bool) -> Result<GameSpec, Failure> {
    let Some(text) = &args.game else {
        return if asks {
            menu::choose(registry)
        } else {
            Err(missing_game(registry))
        };
    };
    let mut game = parse_game(text, registry)?;
    let rules = arguments::rules(registry, &game)?;
    if asks && game.options.is_empty() {
        size::ask(rules.entry(), &mut game)?;
    }
    Ok(game)
}

/// Catches the signals from now on. Until here they end the program as usual, since no game was started and the user
/// may be at a question.
pub(crate) fn catch_signals() -> Result<CaughtSignals, Failure> {
    CaughtSignals::new().map_err(no_signals)
}

/// The error of signals that cannot be caught.
pub(crate) fn no_signals(error: io::Error) -> Failure {
    Failure::Trouble(format!("signals: {error}"))
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
            Err(usage("--password", &"nobody can come: expected --listen"))
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
        plan,
        helper,
        game,
        guests,
        listen: None,
        auto: None,
        keeps_ledger: true,
        may_rename_ledger: args.ledger.is_none(),
        restarts_engines: false,
        sync: args.sync.into(),
        host,
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
