//! `--continue`: resumes a game from its ledger.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kit::Side;
use record::engine_spec::Program;
use record::game_spec::GameSpec;
use record::plan::Plan;
use record::registry::Registry;
use referee::host::Host;
use table::journal::{Journal, read_table};
use table::{LevelChoice, PausedTable, SeatId, TableError, TableSetup, resume};

use super::arguments::{self, Defaults, SeatArgs, no_guest};
use super::begun::{Begun, open_socket};
use super::ledgers::{ledgers, use_own_tables, wishes};
use crate::args::PlayArgs;
use crate::game_name::parse_typed_game;
use crate::matches::outputs::check_distinct;
use crate::paths::absolute;
use crate::platform::CaughtSignals;
use crate::play::ratings::OwnRatings;
use crate::play::socket::Server;
use crate::records::{source, trust, user_state};
use crate::usage::{Failure, OrFail, refuse, usage};

/// Opens the table of `--continue`.
pub(crate) fn begin(args: &PlayArgs, host: Host) -> Result<Begun, Failure> {
    let path = match &args.resume {
        Some(Some(path)) => path.clone(),
        _ => latest(args, host.registry)?,
    };
    open(args, &path, host)
}

/// Opens the table of a ledger, with the players and limits of the arguments.
pub(crate) fn open(args: &PlayArgs, path: &Path, host: Host) -> Result<Begun, Failure> {
    refuse_new_ledger(args, path)?;
    let defaults = Defaults::of(&args.table)?;
    // A side without a flag keeps its players.
    let new_side = |flag: &str, texts: &[String]| match texts {
        [] => Ok(Vec::new()),
        texts => arguments::side(&defaults, flag, texts, ""),
    };
    let seats = [
        new_side("--p1", &args.table.p1)?,
        new_side("--p2", &args.table.p2)?,
    ];
    let helper = defaults.helper()?;
    let is_changed =
        args.table.st.is_some() || args.table.tc.is_some() || args.table.level.is_some();
    let registry = host.registry;
    let paused = PausedTable::read(path, host);
    let mut paused = paused.map_err(|error| refusal(path, &error))?;
    source::warn_torn(path, paused.ledger().torn);
    check_game(args, path, &paused.setup.plan.game, registry)?;
    arguments::check_level(&args.table, &paused.setup.plan.game, registry)?;
    if !args.trust {
        check_trust(path, &mut paused, &seats)?;
    }
    let setup = &mut paused.setup;
    setup.secret = user_state::secret().ok();
    setup.begun_here = user_state::begun_here();
    let mut sides = setup.plan.sides();
    for (planned, new) in sides.iter_mut().zip(&seats) {
        if !new.is_empty() {
            *planned = new.iter().map(|seat| seat.spec.clone()).collect();
            setup.auto = None;
        }
    }
    setup.plan.set_sides(sides);
    if is_changed {
        let planned = setup.plan.engines.iter_mut();
        planned.for_each(|spec| defaults.apply(spec));
        setup.helper = helper;
    }
    let learned = args.learn.as_ref().map(|file| {
        let game = setup.plan.game.clone();
        arguments::learn(setup.plan.engines.iter_mut(), file, &game, registry)
    });
    let learned = learned.transpose()?;
    setup.plan.pgn = args.table.pgn.as_deref().map(absolute);
    check_distinct(&setup.plan)?;
    setup.plan.search_timeout_ms = args.table.search_timeout.search_timeout_ms;
    setup.is_adaptive = args.table.level == Some(LevelChoice::ADAPTIVE);
    setup.ratings = Some(Arc::new(OwnRatings));
    setup.sync = args.table.sync.into();
    setup.reconnect = args.guests.reconnect;
    let guests = &mut setup.guests;
    guests.retain(|guest| seats[guest.side.index()].is_empty());
    guests.extend(arguments::guest_seats(&seats));
    let (server, told) = listen(args, setup)?;
    let notes: Vec<String> = [learned, told].into_iter().flatten().collect();
    let signals = CaughtSignals::catch()?;
    Ok(Begun {
        signals,
        setup: paused.setup.clone(),
        table: resume(paused).map_err(|error| refusal(path, &error))?,
        server,
        note: (!notes.is_empty()).then(|| notes.join("\n")),
    })
}

/// Opens the socket of `--listen`. Without it, the guests' seats are the host's. Returns the message to the host.
fn listen(
    args: &PlayArgs,
    setup: &mut TableSetup,
) -> Result<(Option<Server>, Option<String>), Failure> {
    let server = open_socket(args)?;
    setup.keeps_guests = server.is_some();
    if server.is_some() {
        if setup.guests.is_empty() {
            setup.guests = guest_of(&setup.plan).into_iter().collect();
        }
        return match setup.guests.is_empty() {
            true => Err(no_guest()),
            false => Ok((server, None)),
        };
    }
    let told = "guests cannot join, so their seats are yours: to let them join, resume with --listen 127.0.0.1:PORT";
    let had_guests = !std::mem::take(&mut setup.guests).is_empty();
    Ok((None, had_guests.then(|| told.to_owned())))
}

fn refusal(path: &Path, error: &TableError) -> Failure {
    match error {
        // The error already names its file.
        TableError::Records(_) => Failure::Trouble(error.to_string()),
        _ => Failure::Trouble(format!("{}: {error}", path.display())),
    }
}

/// Asks for confirmation before a ledger's commands run, except for engines that the arguments replace.
fn check_trust(
    path: &Path,
    paused: &mut PausedTable,
    seats: &[Vec<SeatArgs>; 2],
) -> Result<(), Failure> {
    let sides = paused.setup.plan.sides();
    let kept = sides.iter().zip(seats).filter(|(_, new)| new.is_empty());
    let engines = kept.flat_map(|(engines, _)| engines);
    trust::check("--continue", path, &wishes(paused, engines))?;
    use_own_tables(paused);
    Ok(())
}

/// The last seat of a person, which is the guest's if no flag says otherwise.
fn guest_of(plan: &Plan) -> Option<SeatId> {
    let sides = plan.sides();
    let last_person = |side: Side| {
        let mut partners = sides[side.index()].iter();
        let partner = partners.rposition(|player| player.program == Program::Person)?;
        Some(SeatId { side, partner })
    };
    [Side::P2, Side::P1].into_iter().find_map(last_person)
}

/// Rejects `--ledger`, since a resumed game continues in its old file.
fn refuse_new_ledger(args: &PlayArgs, path: &Path) -> Result<(), Failure> {
    if args.table.ledger.is_none() {
        return Ok(());
    }
    let path = path.display();
    refuse!("--ledger: the game continues in {path}: leave out --ledger")
}

/// The game of the arguments.
fn asked_game(args: &PlayArgs, registry: Registry) -> Result<Option<GameSpec>, Failure> {
    let asked = args.game.as_deref();
    asked
        .map(|text| parse_typed_game(text, registry).or_usage("GAME"))
        .transpose()
}

/// `true` if a ledger's game is the requested one; without options, any board matches.
fn is_same(asked: &GameSpec, game: &GameSpec, registry: Registry) -> bool {
    if asked.name != game.name || asked.options.is_empty() {
        return asked.name == game.name;
    }
    let rules = |game| registry.rules(game).ok().flatten();
    matches!((rules(asked), rules(game)), (Some(one), Some(other)) if one.is_same(&other))
}

/// Rejects a ledger with another game than the requested one.
fn check_game(
    args: &PlayArgs,
    path: &Path,
    game: &GameSpec,
    registry: Registry,
) -> Result<(), Failure> {
    match asked_game(args, registry)? {
        Some(asked) if !is_same(&asked, game, registry) => {
            let path = path.display();
            refuse!("GAME: {path} contains a game of {game}: expected this game, not {asked}")
        }
        _ => Ok(()),
    }
}

/// The newest ledger in this folder with an unfinished game of at least one move.
fn latest(args: &PlayArgs, registry: Registry) -> Result<PathBuf, Failure> {
    let asked = asked_game(args, registry)?;
    let is_wanted = |path: &PathBuf| {
        read_table(path).is_ok_and(|saved| {
            let is_open = |journal: Journal| journal.ended.is_none() && journal.tree.n_nodes() > 1;
            let is_game = asked
                .as_ref()
                .is_none_or(|game| is_same(game, &saved.ledger.plan.game, registry));
            is_game && saved.helper.is_some() && saved.journal.is_some_and(is_open)
        })
    };
    let mut ledgers = ledgers();
    ledgers.retain(is_wanted);
    let age = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok();
    ledgers.sort_by_key(age);
    let none = || {
        usage(
            "--continue",
            "no unfinished game in this folder: name its ledger, as in linesman play --continue FILE",
        )
    };
    ledgers.pop().ok_or_else(none)
}
