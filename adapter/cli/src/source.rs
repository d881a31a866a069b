//! Files of recorded games, whichever way they are written.

use std::path::Path;

use referee::plan::{GameSpec, Plan};
use referee::record::{GameRecord, read_ledger, read_pgn, read_records};

use crate::usage::Failure;

/// The games of one file.
pub(crate) struct Source {
    /// What was to be played, where the file is a ledger.
    pub(crate) plan: Option<Plan>,
    /// What is played in it.
    pub(crate) game: Option<GameSpec>,
    pub(crate) games: Vec<GameRecord>,
}

/// Reads a ledger or a PGN file.
pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
    let trouble =
        |why: &dyn std::fmt::Display| Failure::Trouble(format!("{}: {why}", path.display()));
    let bytes = read_records(path).map_err(|error| trouble(&error))?;
    if bytes.trim_ascii_start().starts_with(b"{") {
        let ledger = read_ledger(path).map_err(|error| trouble(&error))?;
        return Ok(Source {
            game: Some(ledger.plan.game.clone()),
            plan: Some(ledger.plan),
            games: ledger.games,
        });
    }
    let games = read_pgn(&String::from_utf8_lossy(&bytes));
    if games.is_empty() {
        return Err(trouble(&"no games: expected a ledger or a PGN file"));
    }
    Ok(Source {
        plan: None,
        game: games[0].game.clone(),
        games: games.into_iter().map(|game| game.record).collect(),
    })
}
