//! Names of new files: records are never overwritten.

use std::path::{Path, PathBuf};

use record::game_spec::GameSpec;
use record::ledger::LedgerReader;
use referee::date::stamp;

use crate::paths::absolute;
use crate::usage::{Failure, refuse};

/// The paths of the ledger, which has a default, and of the PGN file. Both files must be new.
pub(crate) fn new_records(
    ledger: Option<&Path>,
    pgn: Option<&Path>,
    game: &GameSpec,
) -> Result<(PathBuf, Option<PathBuf>), Failure> {
    let ledger = match ledger {
        Some(path) => new_file("--ledger", path)?,
        None => default_ledger(game),
    };
    let pgn = pgn.map(|path| new_file("--pgn", path)).transpose()?;
    if pgn.as_ref() == Some(&ledger) {
        return refuse!("--pgn and --ledger name the same file: name two");
    }
    Ok((ledger, pgn.as_deref().map(absolute)))
}

/// An unused file name from the game and the time.
fn default_ledger(game: &GameSpec) -> PathBuf {
    let stem = format!("{}-{}", game.name, stamp());
    let numbered = (2..).map(|number| format!("{stem}-{number}.jsonl"));
    std::iter::once(format!("{stem}.jsonl"))
        .chain(numbered)
        .map(PathBuf::from)
        .find(|path| !path.exists())
        .expect("an unused number exists")
}

/// Rejects an existing file, since records are never overwritten.
pub(crate) fn new_file(flag: &str, path: &Path) -> Result<PathBuf, Failure> {
    if path.exists() {
        let path = path.display();
        return refuse!("{flag}: {path} exists: name a new file");
    }
    Ok(path.to_owned())
}

/// Rejects a ledger, also that of another match, as a file to append to.
pub(crate) fn refuse_ledger(flag: &str, file: &Path) -> Result<(), Failure> {
    match LedgerReader::open(file) {
        Ok(_) => refuse!("{flag}: {} is a ledger: name another file", file.display()),
        Err(_) => Ok(()),
    }
}
