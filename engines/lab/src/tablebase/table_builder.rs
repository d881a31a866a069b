//! Builds and verifies tables of any game.

use std::path::Path;

use kit::tablebase::{Indexing, TableError, TableInfo, Tabulated, open_file};
use kit::{Options, Rejection};

use crate::parallel::Threads;

use super::build::{BuildPlan, BuildSettings, build, plan};
use super::progress::{BuildError, BuildProgress};
use super::verify::{CheckedPositions, VerifyError, verify};

/// The header of the table that was built, or the reason why none was.
pub type Built = Result<TableInfo, BuildError>;

/// Verifies the table in a file and reports its progress: positions done and in all. Returns the number of positions verified.
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
    pub build: fn(&Options, &BuildSettings<'_>, &mut dyn FnMut(BuildProgress)) -> Built,
    /// Verifies the table in a file: [`verify`].
    pub verify: Verify,
}

impl TableBuilder {
    /// The tables of this game.
    pub const fn of<G: Tabulated>() -> TableBuilder {
        TableBuilder {
            game: G::NAME,
            plan: |options| plan(&G::new(options)),
            build: |options, settings, on_progress| build(&G::new(options), settings, on_progress),
            verify: |options, path, sample, threads, on_progress| {
                let game = G::new(options);
                let graph = game.graph().map_err(TableError::at(path))?;
                let file = open_file(path, &graph.identity())?;
                verify(&game, &graph, &file, sample, threads, on_progress)
            },
        }
    }
}
