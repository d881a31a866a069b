//! The ledgers in this folder, and what one from elsewhere may do.

use std::path::{Path, PathBuf};

use record::engine_spec::EngineSpec;
use table::PausedTable;

use crate::records::trust::{self, Origin};
use crate::usage::Failure;

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

/// A table whose ledger, or whose journal, was not begun here.
pub(crate) struct Foreign {
    /// The engines that are known nevertheless: those of the plan, if an older version began the game here.
    known: Vec<EngineSpec>,
    is_trusted: bool,
}

/// Removes the output files and the address of a table's ledger, unless it was begun here; then the result is `None`.
/// `pgn` is the PGN file that the command line names.
pub(crate) fn confine(
    path: &Path,
    paused: &mut PausedTable,
    is_trusted: bool,
    pgn: Option<&Path>,
) -> Result<Option<Foreign>, Failure> {
    let origin = trust::origin(&paused.ledger().plan_line, paused.is_signed());
    let known = match origin {
        Origin::Here => return Ok(None),
        Origin::OlderHere => paused.ledger().plan.engines.clone(),
        Origin::Elsewhere => Vec::new(),
    };
    let setup = &mut paused.setup;
    if origin == Origin::Elsewhere {
        trust::confine(&mut setup.plan, path, pgn, is_trusted)?;
    }
    let engines = setup.plan.engines.iter_mut().chain([&mut setup.helper]);
    let foreign = engines.filter(|engine| !known.contains(engine));
    foreign.for_each(|engine| trust::confine_engine(engine, is_trusted));
    if !is_trusted {
        setup.listen = None;
        setup.guests.clear();
    }
    Ok(Some(Foreign { known, is_trusted }))
}

impl Foreign {
    /// What these engines of the table need the user's consent for.
    pub(crate) fn wishes<'a>(&self, engines: impl Iterator<Item = &'a EngineSpec>) -> Vec<String> {
        let foreign = engines.filter(|engine| !self.is_trusted && !self.known.contains(engine));
        foreign.filter_map(trust::wish).collect()
    }
}
