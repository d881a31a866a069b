//! The ledgers in this folder, and what one of a table may run.

use std::path::{Path, PathBuf};

use record::engine_spec::EngineSpec;
use table::{PausedTable, TableSetup};

use crate::records::trust;

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
