//! The table that the arguments ask for: a new one, or one that is resumed.

pub(crate) mod arguments;
mod questions;
pub(crate) mod resume;

use record::file::read_text;
use record::game_spec::GameSpec;
use record::registry::Registry;
use referee::host::Host;
use table::{SessionError, TableError, TableSetup, open};

use self::arguments::Defaults;
use super::another::Tables;
use super::socket::Server;
use crate::args::{PlayArgs, TableArgs};
use crate::game_name::{ANY_WITH_RULES, missing_game, parse_typed_game, rules};
use crate::platform::CaughtSignals;
use crate::platform::terminal::ask_secret;
use crate::usage::{Failure, OrFail, plain_trouble, refuse};

/// A table that was opened.
pub(crate) struct Begun {
    pub(crate) tables: Tables,
    /// The signals, caught before the table was opened, so that none of them ends the program half-way.
    pub(crate) signals: CaughtSignals,
    /// The server for guests, if they can join.
    pub(crate) server: Option<Server>,
    /// What the host is told first.
    pub(crate) note: Option<String>,
}

/// Opens a new or a resumed table. `asks` means that the program may ask the user for the game, the size of the board and
/// the level.
pub(crate) fn begin(args: &PlayArgs, host: Host, asks: bool) -> Result<Begun, Failure> {
    if args.resume.is_some() {
        return resume::begin(args, host);
    }
    // A failure creates no ledger.
    let server = open_socket(args)?;
    let game = game(args, host.registry, asks)?;
    let mut args = args.clone();
    if asks && meets_the_built_in(&args) && !rules(host.registry, &game)?.are_of_program() {
        args.table.level = Some(questions::ask_level(&game)?);
    }
    let args = &args;
    let defaults = Defaults::of(&args.table)?;
    let mut seats = arguments::seats(&args.table, &defaults, args.listen.is_some())?;
    let learned = args.learn.as_ref().map(|file| {
        let engines = seats.iter_mut().flatten().map(|seat| &mut *seat.player);
        arguments::learn(engines, file, &game, host.registry)
    });
    let note = learned.transpose()?;
    let mut setup = arguments::setup(&args.table, &defaults, game, &seats, None, host)?;
    setup.keeps_ledger = args.puzzles.is_none();
    set_guests(args, &mut setup, server.as_ref())?;
    if server.is_none() && !setup.guests.is_empty() {
        return refuse!(
            "--listen: remote needs an address at which the guest joins, as in --listen 0.0.0.0:4000"
        );
    }
    let signals = CaughtSignals::catch()?;
    Ok(Begun {
        tables: Tables::new(open(setup.clone())?, setup, server.is_some()),
        signals,
        server,
        note,
    })
}

/// Sets what a table has from the flags about guests.
fn set_guests(
    args: &PlayArgs,
    setup: &mut TableSetup,
    server: Option<&Server>,
) -> Result<(), Failure> {
    setup.keeps_guests = server.is_some();
    setup.reconnect = args.guests.reconnect;
    server.map_or(Ok(()), |_| arguments::keep_guest(setup))
}

/// `true` if the arguments leave the players and the strength of the engine to the program.
fn meets_the_built_in(args: &PlayArgs) -> bool {
    let TableArgs { p1, p2, level, .. } = &args.table;
    let is_usual = p1.is_empty() && p2.is_empty() && level.is_none() && args.learn.is_none();
    is_usual && args.listen.is_none() && args.puzzles.is_none() && !args.json
}

/// The game of the arguments. At a terminal, the program asks the user for missing parts.
fn game(args: &PlayArgs, registry: Registry, asks: bool) -> Result<GameSpec, Failure> {
    let Some(text) = &args.game else {
        return match asks {
            true => questions::choose(registry),
            false => Err(missing_game(registry, ANY_WITH_RULES)),
        };
    };
    let mut game = parse_typed_game(text, registry).or_usage("GAME")?;
    let rules = rules(registry, &game)?;
    if asks && game.options.is_empty() {
        let asked = rules.entry().texts().questions.iter();
        let asked = asked.map(|(name, question)| (*name, (*question).to_owned()));
        questions::ask(rules.entry(), &mut game, asked)?;
    }
    Ok(game)
}

/// Opens the address of `--listen`.
fn open_socket(args: &PlayArgs) -> Result<Option<Server>, Failure> {
    let Some(text) = &args.listen else {
        return Ok(None);
    };
    let mut server = Server::open(text)?;
    server.password = password(args)?;
    Ok(Some(server))
}

/// The password that the host chose, typed or read from a file: other users of the machine can see the command line.
fn password(args: &PlayArgs) -> Result<Option<String>, Failure> {
    let (flag, word) = match &args.password_file {
        Some(path) => {
            let about = format!("--password-file: {}", path.display());
            let text = read_text(path).or_trouble(about)?;
            let line = text.lines().next().unwrap_or_default();
            ("--password-file", line.trim().to_owned())
        }
        None if args.password => ("--password", ask_secret("Password for guests: ")?),
        None => return Ok(None),
    };
    let is_word = word.chars().all(|c| c.is_ascii_graphic());
    match is_word && (1..=64).contains(&word.len()) {
        true => Ok(Some(word)),
        false => refuse!("{flag}: a password has 1 to 64 visible ASCII characters and no blanks"),
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
