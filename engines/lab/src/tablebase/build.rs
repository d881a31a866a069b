//! Building a table: its requirements, its steps, and the builders of all games.

use std::fs;
use std::path::Path;

use crate::parallel::Threads;
use kit::lock::WriterLock;
use kit::tablebase::code::decode;
use kit::tablebase::{Counts, Indexing, MoveGraph, TableError, TableInfo, Tabulated, open_file};
use kit::{Options, Rejection, Value};

use super::solver::{BuildError, BuildProgress};
use super::verify::{CheckedPositions, VerifyError, verify};
use super::write::write;
use super::{sections, sweeps};

/// The requirements of a build, computed before it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildPlan {
    /// The game with the options that the values depend on: `susan Size=3 SlideLimit=6`.
    pub name: String,
    /// Name of the file in a folder of tables.
    pub file_name: String,
    /// Number of indices to solve.
    pub n_indices: u64,
    /// The memory in bytes.
    pub n_bytes: u64,
}

/// The header of the table that was built, or the reason why none was.
pub type Built = Result<TableInfo, BuildError>;

/// Verifies the table in a file and reports its progress: positions done and in all. Returns the number of positions
/// verified.
pub type Verify = fn(
    &Options,
    &Path,
    CheckedPositions,
    Threads<'_>,
    &mut dyn FnMut(u64, u64),
) -> Result<u64, VerifyError>;

/// Builds and verifies the tables of a game, as plain function pointers.
#[derive(Debug, Clone, Copy)]
pub struct TableBuilder {
    /// The game's name.
    pub game: &'static str,
    /// Computes the requirements of a build: [`plan`].
    pub plan: fn(&Options) -> Result<BuildPlan, Rejection>,
    /// Builds: [`build`](fn@build).
    pub build: fn(&Options, &Path, Threads<'_>, &mut dyn FnMut(BuildProgress)) -> Built,
    /// Verifies the table in a file: [`verify`].
    pub verify: Verify,
}

impl TableBuilder {
    /// The tables of this game.
    pub const fn of<G: Tabulated>() -> TableBuilder {
        TableBuilder {
            game: G::NAME,
            plan: |options| plan(&G::new(options)),
            build: |options, path, threads, on_progress| {
                build(&G::new(options), path, threads, on_progress)
            },
            verify: |options, path, sample, threads, on_progress| {
                let game = G::new(options);
                let graph = game.graph().map_err(TableError::at(path))?;
                let file = open_file(path, &graph.identity())?;
                verify(&game, &graph, &file, sample, threads, on_progress)
            },
        }
    }
}

/// Computes the requirements of a build of this game's table.
///
/// # Errors
/// There is no table for these options.
pub fn plan<G: Tabulated>(game: &G) -> Result<BuildPlan, Rejection> {
    let graph = game.graph()?;
    let identity = graph.identity();
    let n_indices = graph.n_indices();
    let n_solver_bytes = match graph.section_size() {
        None => n_indices,
        Some(_) => sections::n_bytes(n_indices),
    };
    Ok(BuildPlan {
        name: identity.to_string(),
        file_name: identity.file_name(),
        n_indices,
        n_bytes: n_solver_bytes + graph.n_bytes(),
    })
}

/// Solves all positions of this game's board on these threads, and writes the table to a file; none of this name may exist.
/// A lock has its name with `.lock` until it is written.
///
/// # Errors
/// [`BuildError::Stopped`] if it was stopped; otherwise what went wrong. Nothing is written then.
pub fn build<G: Tabulated>(
    game: &G,
    path: &Path,
    threads: Threads<'_>,
    on_progress: &mut dyn FnMut(BuildProgress),
) -> Built {
    let graph = game.graph().map_err(BuildError::Options)?;
    let lock = WriterLock::acquire(path, "another build writes this table");
    let _lock = lock.map_err(BuildError::Locked)?;
    if path.symlink_metadata().is_ok() {
        return Err(BuildError::Exists(path.to_owned()));
    }
    let n_indices = graph.n_indices();
    let codes = match graph.section_size() {
        None => sweeps::solve(&graph, n_indices, threads, on_progress)?,
        Some(size) => sections::solve(&graph, n_indices, size, threads, on_progress)?,
    };
    let mut start = Vec::new();
    if let Some(number) = graph.index(&game.start()) {
        codes(number..number + 1, &mut start);
    }
    let start = start.first().copied().and_then(decode);
    let mut info = TableInfo {
        identity: graph.identity(),
        counts: Counts::default(),
        longest_win: None,
        start: start.unwrap_or(Value::Draw),
        n_bytes: 0,
    };
    let mut on_progress = |done, of| {
        let stage = "writing the table".to_owned();
        on_progress(BuildProgress { stage, done, of })
    };
    // Until it is complete, the file has another name; it is removed on failure.
    let temporary = path.with_added_extension("tmp");
    let written = write(&temporary, &mut info, &codes, threads, &mut on_progress);
    let written = written.and_then(|is_whole| {
        if is_whole {
            fs::rename(&temporary, path).map_err(TableError::at(path))?;
        }
        Ok(is_whole)
    });
    if !matches!(written, Ok(true)) {
        // The write error is returned below.
        let _ = fs::remove_file(temporary);
    }
    match written? {
        true => Ok(info),
        false => Err(BuildError::Stopped),
    }
}
