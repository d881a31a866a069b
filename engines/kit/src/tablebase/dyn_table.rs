//! A table with its game's type erased, and the functions to build one.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::{
    BuildError, BuildSettings, Plan, Progress, Sample, TableError, TableInfo, Tablebase, Tabulated,
    VerifyError, build, plan, verify,
};
use crate::dyn_history::parse_history;
use crate::puzzle::Value;
use crate::{Notation, Options, PositionHistory, Rejection};

/// A table if there is one, or the reason why it cannot be used.
pub type OpenedTable = Result<Option<Box<dyn DynTable>>, TableError>;

/// The table written by a build, or the reason why none was written.
pub type Built = Result<TableInfo, BuildError>;

/// The tables of a game, as plain function pointers.
#[derive(Debug, Clone, Copy)]
pub struct TableEntry {
    /// Computes the requirements of a build: [`plan`].
    pub plan: fn(&Options) -> Result<Plan, Rejection>,
    /// Builds a table: [`build`](fn@build).
    pub build: fn(&Options, &BuildSettings<'_>, &mut dyn FnMut(Progress)) -> Built,
    /// Opens the table for these options, from a file or a folder; `None` if the folder has none or the game has no
    /// tables for these options.
    pub open: fn(&Options, &Path) -> OpenedTable,
}

/// An open table of any game; positions are text.
pub trait DynTable: Send + Sync {
    /// The table's description.
    fn info(&self) -> &TableInfo;

    /// The position string of an index; `None` if the index is unused.
    fn position(&self, number: u64) -> Option<String>;

    /// The value of a position string from the side to move, without earlier positions; `None` means the start
    /// position. The result is `None` if the table does not contain the position or the game is over.
    ///
    /// # Errors
    /// The text is not a position, or the file cannot be read.
    fn value(&self, fen: Option<&str>) -> Result<Option<Value>, String>;

    /// Verifies positions: [`verify`].
    ///
    /// # Errors
    /// As [`verify`].
    fn verify(
        &self,
        sample: Sample,
        threads: (usize, &AtomicBool),
        tell: &mut dyn FnMut(u64, u64),
    ) -> Result<u64, VerifyError>;
}

struct Opened<G: Notation> {
    game: G,
    table: Tablebase<G>,
}

impl TableEntry {
    /// Creates the entry of this game's tables.
    pub const fn of<G: Notation + Tabulated>() -> TableEntry {
        TableEntry {
            plan: |options| plan(&G::new(options)),
            build: |options, settings, tell| build(&G::new(options), settings, tell),
            open: |options, path| {
                let game = G::new(options);
                let Ok(graph) = game.graph() else {
                    return Ok(None);
                };
                let table = Tablebase::open(Box::new(graph), path)?;
                Ok(table.map(|table| Box::new(Opened { game, table }) as Box<dyn DynTable>))
            },
        }
    }
}

impl<G: Notation> DynTable for Opened<G> {
    fn info(&self) -> &TableInfo {
        self.table.info()
    }

    fn position(&self, number: u64) -> Option<String> {
        let position = self.table.numbering().position(number)?;
        Some(self.game.format_position(&position))
    }

    fn value(&self, fen: Option<&str>) -> Result<Option<Value>, String> {
        let history = match fen {
            Some(fen) => parse_history(&self.game, fen).map_err(|why| why.to_string())?,
            None => PositionHistory::start(self.game.clone()),
        };
        if history.outcome().is_some() {
            return Ok(None);
        }
        let value = self.table.value(history.position());
        value.map_err(|error| error.to_string())
    }

    fn verify(
        &self,
        sample: Sample,
        threads: (usize, &AtomicBool),
        tell: &mut dyn FnMut(u64, u64),
    ) -> Result<u64, VerifyError> {
        verify(&self.game, &self.table, sample, threads, tell)
    }
}
