//! An open table with the game's type erased.

use std::path::Path;

use super::{OpenError, TableError, TableInfo, Tablebase};
use crate::dyn_history::parse_history;
use crate::{Engine, Options, PositionHistory, Value};

/// A table if there is one, or the reason why it cannot be used.
pub type OpenedTable = Result<Option<Box<dyn DynTable>>, TableError>;

/// An open table of any game; positions are text.
pub trait DynTable: Send + Sync {
    /// The header of the table.
    fn info(&self) -> &TableInfo;

    /// The position string of an index; `None` if no position has it.
    fn position(&self, index: u64) -> Option<String>;

    /// The value of a position string for the side to move, without earlier positions; `None` means the start position.
    /// Returns `None` if the table does not hold it, as in a finished game.
    ///
    /// # Errors
    /// The text is not a position, or the file cannot be read.
    fn value(&self, fen: Option<&str>) -> Result<Option<Value>, String>;
}

struct OpenedDynTable<G: Engine> {
    game: G,
    table: Tablebase<G>,
}

/// Opens the table for these options, a file or one in a folder. `None` if the folder has none, or the game has no table
/// for these options.
///
/// # Errors
/// As [`Tablebase::open`].
pub fn open_dyn<G: Engine>(options: &Options, path: &Path) -> OpenedTable {
    let game = G::new(options);
    let Some(indexing) = game.indexing() else {
        return Ok(None);
    };
    match Tablebase::open(indexing, path) {
        Ok(table) => Ok(Some(Box::new(OpenedDynTable { game, table }))),
        Err(OpenError::IsDirectory { .. }) => Ok(None),
        Err(OpenError::Table(error)) => Err(error),
    }
}

impl<G: Engine> DynTable for OpenedDynTable<G> {
    fn info(&self) -> &TableInfo {
        self.table.info()
    }

    fn position(&self, index: u64) -> Option<String> {
        let position = self.table.indexing().position(index)?;
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
}
