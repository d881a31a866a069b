//! Taking a game up again: from its ledger.

use std::path::{Path, PathBuf};

use kit::Side;
use referee::session::journal::read_table;
use referee::session::{Table, TableError};
use referee::tournament::Host;

use super::plan::Defaults;
use crate::args::PlayArgs;
use crate::plan::{parse_game, usage};
use crate::usage::Failure;

/// The session that `--continue` asks for.
pub(crate) fn take_up(args: &PlayArgs, host: Host) -> Result<(Table, Option<Side>), Failure> {
    let path = match &args.resume {
        Some(Some(path)) => path.clone(),
        _ => latest(args)?,
    };
    open(args, &path, host)
}

/// The session of a ledger, with the players and limits that the arguments name.
pub(crate) fn open(
    args: &PlayArgs,
    path: &Path,
    host: Host,
) -> Result<(Table, Option<Side>), Failure> {
    refuse_new_files(args, path)?;
    let habits = Defaults::of(args)?;
    let new_seat = |flag: &str, text: &Option<String>| {
        text.as_deref()
            .map(|text| habits.seat(flag, text))
            .transpose()
    };
    let seats = [new_seat("--p1", &args.p1)?, new_seat("--p2", &args.p2)?];
    let helper = habits.helper()?;
    let is_changed = args.st.is_some() || args.tc.is_some() || args.level.is_some();
    let mut remote = Side::BOTH.into_iter().find(|side| {
        seats[side.index()]
            .as_ref()
            .is_some_and(|seat| seat.is_remote)
    });
    let session = Table::resume(path, host, |plan, own, auto| {
        for (index, seat) in seats.into_iter().enumerate() {
            if let Some(seat) = seat {
                plan.engines[index] = seat.spec;
                *auto = None;
            }
        }
        if is_changed {
            plan.engines.iter_mut().for_each(|spec| habits.apply(spec));
            *own = helper;
        }
    });
    let session = session.map_err(|error| match &error {
        // It names its file.
        TableError::Records(_) => Failure::Trouble(error.to_string()),
        _ => Failure::Trouble(format!("{}: {error}", path.display())),
    })?;
    if args.listen.is_some() && remote.is_none() {
        remote = [Side::P2, Side::P1]
            .into_iter()
            .find(|side| !session.is_auto(*side));
    }
    Ok((session, remote))
}

/// The records of a game go on in their old files.
fn refuse_new_files(args: &PlayArgs, path: &Path) -> Result<(), Failure> {
    let flag = match (&args.ledger, &args.pgn) {
        (Some(_), _) => "--ledger",
        (None, Some(_)) => "--pgn",
        (None, None) => return Ok(()),
    };
    let why = format!(
        "the game goes on in {}: expected no new file",
        path.display()
    );
    Err(usage(flag, &why))
}

/// The newest ledger in this folder with a game that is not over.
fn latest(args: &PlayArgs) -> Result<PathBuf, Failure> {
    let game = args.game.as_deref().map(parse_game).transpose()?;
    let is_wanted = |path: &PathBuf| {
        read_table(path).is_ok_and(|story| {
            let is_open = story.journal.is_some_and(|tale| tale.ended.is_none());
            let is_game = game
                .as_ref()
                .is_none_or(|game| game.name == story.ledger.plan.game.name);
            is_open && is_game && story.helper.is_some()
        })
    };
    let mut ledgers = ledgers();
    ledgers.retain(is_wanted);
    let age = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok();
    ledgers.sort_by_key(age);
    let none = || {
        usage(
            "--continue",
            &"no game that is not over in this folder: expected the name of a ledger",
        )
    };
    ledgers.pop().ok_or_else(none)
}

/// The ledgers in this folder.
pub(crate) fn ledgers() -> Vec<PathBuf> {
    let files = std::fs::read_dir(".").into_iter().flatten().flatten();
    let is_ledger = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "jsonl");
    let named = |path: PathBuf| {
        path.strip_prefix(".")
            .map_or_else(|_| path.clone(), Path::to_owned)
    };
    files
        .map(|file| file.path())
        .filter(is_ledger)
        .map(named)
        .collect()
}
