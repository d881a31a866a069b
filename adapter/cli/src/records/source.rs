//! Files of recorded games: ledgers and PGN files.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use record::file::read_records;
use record::game::{GameRecord, PlyRecord};
use record::game_spec::GameSpec;
use record::ledger::parse_ledger;
use record::pgn::{format_thought, read_pgn};
use record::plan::Plan;
use table::journal::read_table;

use super::torn;
use crate::usage::Failure;

/// The games of one file.
pub(crate) struct Source {
    path: PathBuf,
    /// The plan of a ledger.
    pub(crate) plan: Option<Plan>,
    /// Identifies the match of a ledger: the id of its plan, or the whole plan if it has no id.
    identity: Vec<u8>,
    /// The game that is played in the file.
    pub(crate) game: Option<GameSpec>,
    pub(crate) games: Vec<GameRecord>,
    /// The comments of a PGN file, by game and move; empty for a ledger.
    comments: Vec<Vec<String>>,
    /// The unfinished game of a table's ledger.
    unfinished: Option<GameRecord>,
}

impl Source {
    /// The game with this number.
    pub(crate) fn find(&self, number: usize) -> Result<&GameRecord, Failure> {
        let mut games = self.games.iter().chain(&self.unfinished);
        let found = games.find(|record| record.game == number);
        found.ok_or_else(|| {
            let n_games = self.games.len() + usize::from(self.unfinished.is_some());
            let file = self.path.display();
            Failure::Usage(format!(
                "N: game {number} is not among the {n_games} games of {file}"
            ))
        })
    }

    /// One comment per move of a game: from its PGN file, or time and score in the same format.
    pub(crate) fn comments(&self, record: &GameRecord) -> Vec<String> {
        let index = self.games.iter().position(|game| game.game == record.game);
        let told = index.and_then(|index| self.comments.get(index));
        told.cloned().unwrap_or_else(|| {
            let plies = record.plies.iter();
            let comment = |ply: &Option<PlyRecord>| ply.as_ref().map(format_thought);
            plies.map(|ply| comment(ply).unwrap_or_default()).collect()
        })
    }
}

/// Reads ledgers and PGN files whose games are pooled. A game in two ledgers of one match counts once; a PGN file that
/// repeats another file is an error.
pub(crate) fn read_all(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let sources = paths.iter().map(|path| read(path));
    let mut sources: Vec<Source> = sources.collect::<Result<_, _>>()?;
    for (index, source) in sources.iter().enumerate() {
        if source.plan.is_none() {
            let is_other = |(other, read): &(usize, &Source)| read.plan.is_some() || *other < index;
            let others = sources.iter().enumerate().filter(is_other);
            refuse_repeats(source, others.map(|(_, other)| other))?;
        }
    }
    let mut known = HashSet::new();
    for source in sources.iter_mut().filter(|source| source.plan.is_some()) {
        let identity = &source.identity;
        source
            .games
            .retain(|game| known.insert((identity.clone(), game.game)));
    }
    Ok(sources)
}

/// Rejects a PGN file with a game of another file.
fn refuse_repeats<'a>(
    pgn: &Source,
    others: impl Iterator<Item = &'a Source>,
) -> Result<(), Failure> {
    let by_number: HashMap<(usize, usize), &GameRecord> = pgn
        .games
        .iter()
        .map(|game| ((game.pair, game.game), game))
        .collect();
    let repeats = |game: &GameRecord| {
        let own = by_number.get(&(game.pair, game.game));
        own.is_some_and(|own| own.is_same_game(game))
    };
    for other in others {
        if other.games.iter().any(repeats) {
            let (pgn, other) = (pgn.path.display(), other.path.display());
            return Err(Failure::Usage(format!("{pgn} repeats {other}")));
        }
    }
    Ok(())
}

/// Reads a ledger or a PGN file.
pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
    let trouble =
        |why: &dyn std::fmt::Display| Failure::Trouble(format!("{}: {why}", path.display()));
    let bytes = read_records(path).map_err(|error| trouble(&error))?;
    if bytes.trim_ascii_start().starts_with(b"{") {
        let ledger = parse_ledger(&bytes).map_err(|error| trouble(&error))?;
        torn::warn(path, &ledger);
        return Ok(Source {
            path: path.to_owned(),
            identity: match ledger.plan.id.as_str() {
                "" => ledger.plan_line,
                id => id.into(),
            },
            game: Some(ledger.plan.game.clone()),
            plan: Some(ledger.plan),
            games: ledger.games,
            comments: Vec::new(),
            unfinished: read_table(path).ok().and_then(|table| table.unfinished()),
        });
    }
    let games = read_pgn(&String::from_utf8_lossy(&bytes));
    if games.is_empty() {
        return Err(trouble(&"no games: expected a ledger or a PGN file"));
    }
    Ok(Source {
        path: path.to_owned(),
        plan: None,
        identity: Vec::new(),
        game: games[0].game.clone(),
        comments: games.iter().map(|game| game.comments.clone()).collect(),
        games: games.into_iter().map(|game| game.record).collect(),
        unfinished: None,
    })
}
