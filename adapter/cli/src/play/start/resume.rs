//! `--continue`: resumes a game from its ledger. And what a table of a ledger may run.

use std::path::{Path, PathBuf};

use record::engine_spec::EngineSpec;
use record::game_spec::GameSpec;
use record::registry::Registry;
use referee::host::Host;
use table::journal::{Journal, read_table};
use table::{PausedTable, TableError, TableSetup};

use super::arguments::{self, Defaults};
use crate::args::PlayArgs;
use crate::game_name::parse_typed_game;
use crate::matches::outputs::check_distinct;
use crate::paths::absolute;
use crate::records::{source, trust};
use crate::usage::{Failure, OrFail, plain_trouble, refuse, trouble, usage};

/// The table of `--continue`, with the players and limits of the arguments, and the path of its ledger.
pub(super) fn read(
    args: &PlayArgs,
    path: Option<PathBuf>,
    host: Host,
    notes: &mut Vec<String>,
) -> Result<(PathBuf, PausedTable), Failure> {
    let registry = host.registry;
    let parse = |text: &String| parse_typed_game(text, registry).or_usage("GAME");
    let asked = args.game.as_ref().map(parse).transpose()?;
    let path = path.map_or_else(|| latest(asked.as_ref(), registry), Ok)?;
    let shown = path.display();
    if args.table.ledger.is_some() {
        return refuse!("--ledger: the game continues in {shown}: leave out --ledger");
    }
    let defaults = Defaults::of(&args.table)?;
    // A side without a flag keeps its players.
    let seats = [
        arguments::side(&defaults, "--p1", &args.table.p1)?,
        arguments::side(&defaults, "--p2", &args.table.p2)?,
    ];
    let helper = defaults.helper()?;
    let paused = PausedTable::read(&path, host);
    let mut paused = paused.map_err(|error| refusal(&path, &error))?;
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
pub(super) fn refusal(path: &Path, error: &TableError) -> Failure {
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
fn latest(asked: Option<&GameSpec>, registry: Registry) -> Result<PathBuf, Failure> {
    let is_open = |journal: Journal| journal.ended.is_none() && journal.tree.n_nodes() > 1;
    let is_wanted = |path: &PathBuf| {
        read_table(path).is_ok_and(|saved| {
            let game = &saved.ledger.plan.game;
            let is_game = asked.is_none_or(|asked| is_same(asked, game, registry));
            is_game && saved.helper.is_some() && saved.journal.is_some_and(is_open)
        })
    };
    let age = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok();
    let newest = ledgers().into_iter().filter(is_wanted).max_by_key(age);
    newest.ok_or_else(|| {
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

/// What the players of a table need the user's consent for: those in the given seats, and the helper. The players of a
/// ledger that was begun on this machine need none.
pub(crate) fn wishes<'a>(
    paused: &'a PausedTable,
    seats: impl Iterator<Item = &'a EngineSpec>,
) -> Vec<String> {
    let ledger = paused.ledger();
    let known: &[EngineSpec] = match trust::is_begun_here(&ledger.plan_line) {
        true => &ledger.plan.engines,
        false => &[],
    };
    trust::wishes_of(seats.chain([&paused.setup.helper]), known)
}

/// The engines of a table that was begun elsewhere read this user's tables.
pub(crate) fn use_own_tables(paused: &mut PausedTable) {
    if !trust::is_begun_here(&paused.ledger().plan_line) {
        let TableSetup { plan, helper, .. } = &mut paused.setup;
        let engines = plan.engines.iter_mut().chain([helper]);
        engines.for_each(trust::use_own_tables);
    }
}
