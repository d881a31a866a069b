//! The ledgers in this folder, and what one from elsewhere may do.

use std::path::{Path, PathBuf};

use record::engine_spec::{EngineSpec, Program};
use table::{PausedTable, TableSetup};

use crate::records::trust::{self, Origin};

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

/// The origin of a ledger's table. If it is unknown, its output files and its address are removed. Commands of players
/// that the plan does not contain are always of unknown origin, since only the hash of the plan is known.
pub(crate) fn confine(path: &Path, paused: &mut PausedTable, is_trusted: bool) -> Origin {
    let is_command = |player: &EngineSpec| matches!(player.program, Program::Command { .. });
    let is_foreign = !is_trusted && paused.unplanned().iter().any(is_command);
    if trust::origin(paused.plan_line(), is_trusted) == Origin::Here && !is_foreign {
        return Origin::Here;
    }
    let TableSetup {
        plan,
        helper,
        listen,
        guests,
        ..
    } = &mut paused.setup;
    trust::drop_foreign_paths(plan, path);
    helper.stderr = None;
    *listen = None;
    guests.clear();
    Origin::Elsewhere
}
