//! The table that the arguments ask for: a new one, or one that is resumed.

use std::path::{Path, PathBuf};

use itertools::Itertools;
use kit::Side;
use record::engine_spec::{EngineSpec, Program};
use record::file::read_text;
use record::game_spec::GameSpec;
use record::registry::Registry;
use referee::host::Host;
use table::journal::{Journal, read_table};
use table::{PausedTable, SeatId, SessionError, TableError, TableSetup, open};

use self::arguments::Defaults;
use super::another::Tables;
use super::socket::Server;
use crate::args::{PlayArgs, TableArgs};
use crate::game_name::{ANY_WITH_RULES, missing_game, parse_typed_game, rules};
use crate::matches::plan::check_distinct;
use crate::paths::absolute;
use crate::platform::CaughtSignals;
use crate::platform::terminal::ask_secret;
use crate::records::{source, trust};
use crate::usage::{Done, Failure, OrFail, plain_trouble, refuse, trouble, usage};

pub(crate) mod arguments;
mod questions;

/// A table that was opened.
pub(crate) struct Begun {
    pub(crate) tables: Tables,
    /// The signals, caught before the table was opened, so that none of them ends the program half-way.
    pub(crate) signals: CaughtSignals,
    /// The server for guests, if they can join.
    pub(crate) server: Option<Server>,
    /// The first notes for the host.
    pub(crate) notes: Vec<String>,
}

/// Opens a new or a resumed table. `asks` means that the program may ask the user for the game, the size of the board and
/// the level.
pub(crate) fn begin(args: &PlayArgs, host: Host, asks: bool) -> Done<Begun> {
    // A failure creates no ledger.
    let server = open_socket(args)?;
    let mut notes = Vec::new();
    let mut paused = None;
    let mut setup = match &args.resume {
        Some(path) => {
            let (path, read) = read_paused(args, path.clone(), host, &mut notes)?;
            let setup = read.setup.clone();
            paused = Some((path, read));
            setup
        }
        None => new_table(args, host, asks, &mut notes)?,
    };
    setup.keeps_guests = server.is_some();
    setup.reconnect = args.reconnect;
    match (setup.guests.is_empty(), &server) {
        (true, Some(_)) => setup.guests = vec![guest_seat(&setup)?],
        (false, None) if paused.is_none() => {
            return refuse!(
                "--listen: remote needs an address at which the guest joins, as in --listen 0.0.0.0:4000"
            );
        }
        (false, None) => {
            setup.guests.clear();
            notes.push("guests cannot join, so their seats are yours: to let them join, resume with --listen 127.0.0.1:PORT".to_owned());
        }
        _ => {}
    }
    let signals = CaughtSignals::catch()?;
    let table = match paused {
        Some((path, mut paused)) => {
            paused.setup = setup.clone();
            table::resume(paused).map_err(|error| refusal(&path, &error))?
        }
        None => open(setup.clone())?,
    };
    Ok(Begun {
        tables: Tables::new(table, setup, server.is_some()),
        signals,
        server,
        notes,
    })
}

fn new_table(args: &PlayArgs, host: Host, asks: bool, notes: &mut Vec<String>) -> Done<TableSetup> {
    let game = game(args, host.registry, asks)?;
    let mut table = args.table.clone();
    if asks && meets_the_built_in(args) && !rules(host.registry, &game)?.are_of_program() {
        table.level = Some(questions::ask_level(&game)?);
    }
    let defaults = Defaults::of(&table);
    let mut seats = arguments::seats(&table, &defaults, args.listen.is_some())?;
    if let Some(file) = &args.learn {
        let engines = seats.iter_mut().flatten().map(|seat| &mut *seat.player);
        notes.push(arguments::learn(engines, file, &game, host.registry)?);
    }
    let mut setup = arguments::setup(&table, &defaults, game, &seats, None, host)?;
    setup.keeps_ledger = args.puzzles.is_none();
    Ok(setup)
}

/// The last seat of a person, which is kept for a guest.
fn guest_seat(setup: &TableSetup) -> Done<SeatId> {
    let sides = setup.plan.sides();
    let seat = [Side::P2, Side::P1].into_iter().find_map(|side: Side| {
        let mut partners = sides[side.index()].iter();
        let partner = partners.rposition(|player| player.program == Program::Person)?;
        Some(SeatId { side, partner })
    });
    let why = "both players are engines: give a person a seat, as in --p2 remote";
    seat.ok_or_else(|| usage("--listen", why))
}

/// `true` if the arguments leave the players and the strength of the engine to the program.
fn meets_the_built_in(args: &PlayArgs) -> bool {
    let TableArgs { p1, p2, level, .. } = &args.table;
    let is_usual = p1.is_empty() && p2.is_empty() && level.is_none() && args.learn.is_none();
    is_usual && args.listen.is_none() && args.puzzles.is_none() && !args.json
}

/// The game of the arguments. At a terminal, the program asks the user for missing parts.
fn game(args: &PlayArgs, registry: Registry, asks: bool) -> Done<GameSpec> {
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

/// Opens the address of `--listen`. The host may choose the password, typed or read from a file: other users of the machine
/// can see the command line.
fn open_socket(args: &PlayArgs) -> Done<Option<Server>> {
    let Some(text) = &args.listen else {
        return Ok(None);
    };
    let mut server = Server::open(text)?;
    let (flag, word) = match &args.password_file {
        Some(path) => {
            let about = format!("--password-file: {}", path.display());
            let text = read_text(path).or_trouble(about)?;
            let line = text.lines().next().unwrap_or_default();
            ("--password-file", line.trim().to_owned())
        }
        None if args.password => ("--password", ask_secret("Password for guests: ")?),
        None => return Ok(Some(server)),
    };
    if !word.chars().all(|c| c.is_ascii_graphic()) || !(1..=64).contains(&word.len()) {
        return refuse!("{flag}: a password has 1 to 64 visible ASCII characters and no blanks");
    }
    server.password = Some(word);
    Ok(Some(server))
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

/// The table of `--continue`, with the players and limits of the arguments, and the path of its ledger.
fn read_paused(
    args: &PlayArgs,
    path: Option<PathBuf>,
    host: Host,
    notes: &mut Vec<String>,
) -> Done<(PathBuf, PausedTable)> {
    let registry = host.registry;
    let parse = |text: &String| parse_typed_game(text, registry).or_usage("GAME");
    let asked = args.game.as_ref().map(parse).transpose()?;
    let path = path.map_or_else(|| latest(asked.as_ref(), registry), Ok)?;
    let shown = path.display();
    if args.table.ledger.is_some() {
        return refuse!("--ledger: the game continues in {shown}: leave out --ledger");
    }
    let defaults = Defaults::of(&args.table);
    // A side without a flag keeps its players.
    let seats = [
        arguments::side(&defaults, "--p1", &args.table.p1)?,
        arguments::side(&defaults, "--p2", &args.table.p2)?,
    ];
    let helper = defaults.helper()?;
    let mut paused = PausedTable::read(&path, host).map_err(|error| refusal(&path, &error))?;
    source::warn_torn(&path, paused.ledger().torn);
    let game = paused.setup.plan.game.clone();
    if let Some(asked) = asked.filter(|asked| !is_same(asked, &game, registry)) {
        return refuse!(
            "GAME: {shown} contains a game of {game}, not of {asked}: leave the game out"
        );
    }
    arguments::check_level(&args.table, &game, registry)?;
    if !args.trust {
        // Engines that the arguments replace do not run.
        let sides = paused.setup.plan.sides();
        let kept = sides.iter().zip(&seats).filter(|(_, new)| new.is_empty());
        let kept = kept.flat_map(|(engines, _)| engines);
        trust::check("--continue", &path, &wishes(&paused, kept))?;
        use_own_tables(&mut paused);
    }
    let setup = &mut paused.setup;
    let mut sides = setup.plan.sides();
    for (planned, new) in sides.iter_mut().zip(&seats) {
        if !new.is_empty() {
            *planned = new.iter().map(|seat| (*seat.player).clone()).collect();
            setup.auto = None;
        }
    }
    setup.plan.set_sides(sides);
    if args.table.st.is_some() || args.table.tc.is_some() || args.table.level.is_some() {
        let planned = setup.plan.engines.iter_mut();
        planned.for_each(|spec| defaults.apply(spec));
        setup.helper = helper;
    }
    if let Some(file) = &args.learn {
        let engines = setup.plan.engines.iter_mut();
        notes.push(arguments::learn(engines, file, &game, registry)?);
    }
    setup.plan.pgn = args.table.pgn.as_deref().map(absolute);
    check_distinct(&setup.plan)?;
    arguments::apply(&args.table, setup);
    let guests = &mut setup.guests;
    guests.retain(|guest| seats[guest.side.index()].is_empty());
    guests.extend(arguments::guest_seats(&seats));
    Ok((path, paused))
}

/// The failure of a ledger, which it names.
fn refusal(path: &Path, error: &TableError) -> Failure {
    match error {
        // The error already names its file.
        TableError::Records(_) => plain_trouble(error),
        _ => trouble(path.display(), error),
    }
}

/// `true` if a ledger's game is the requested one; without options, any board matches.
fn is_same(asked: &GameSpec, game: &GameSpec, registry: Registry) -> bool {
    if asked.name != game.name || asked.options.is_empty() {
        return asked.name == game.name;
    }
    let rules = |game| registry.rules(game).ok().flatten();
    matches!((rules(asked), rules(game)), (Some(one), Some(other)) if one.is_same(&other))
}

/// The newest ledger in this folder with an unfinished game of at least one move.
fn latest(asked: Option<&GameSpec>, registry: Registry) -> Done<PathBuf> {
    let is_open = |journal: Journal| journal.ended.is_none() && journal.tree.n_nodes() > 1;
    let is_wanted = |path: &PathBuf| {
        read_table(path).is_ok_and(|saved| {
            let game = &saved.ledger.plan.game;
            let is_game = asked.is_none_or(|asked| is_same(asked, game, registry));
            is_game && saved.helper.is_some() && saved.journal.is_some_and(is_open)
        })
    };
    ledgers().into_iter().filter(is_wanted).max_by_key(|path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok()).ok_or_else(|| {
        usage(
            "--continue",
            "no unfinished game in this folder: name its ledger, as in linesman play --continue FILE",
        )
    })
}

/// The ledgers in this folder.
pub(crate) fn ledgers() -> Vec<PathBuf> {
    let files = std::fs::read_dir(".").into_iter().flatten().flatten();
    let paths = files.map(|file| PathBuf::from(file.file_name()));
    let is_ledger = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "jsonl");
    paths.filter(is_ledger).collect()
}

/// The programs and files of players for which the user's consent is needed: those in the given seats, and the helper. The
/// players of a ledger that was begun on this machine need none.
pub(crate) fn wishes<'a>(
    paused: &'a PausedTable,
    seats: impl Iterator<Item = &'a EngineSpec>,
) -> Vec<String> {
    let ledger = paused.ledger();
    let is_known = trust::is_begun_here(&ledger.plan_line);
    let known = ledger.plan.engines.iter().filter(|_| is_known);
    let known: Vec<String> = known.filter_map(trust::wish).collect();
    let seats = seats.chain([&paused.setup.helper]);
    let wishes = seats.filter_map(trust::wish).unique();
    wishes.filter(|wish| !known.contains(wish)).collect()
}

/// The engines of a table that was begun elsewhere read this user's tables.
pub(crate) fn use_own_tables(paused: &mut PausedTable) {
    if !trust::is_begun_here(&paused.ledger().plan_line) {
        let TableSetup { plan, helper, .. } = &mut paused.setup;
        let engines = plan.engines.iter_mut().chain([helper]);
        engines.for_each(trust::use_own_tables);
    }
}
