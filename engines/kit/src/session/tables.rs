//! The table of perfect play that a session has open: the one that `TablePath` and the board ask for.

use std::path::Path;
use std::sync::Arc;

use crate::tablebase::{TableError, Tablebase};
use crate::{Engine, Game};

/// The open table, and what it was opened for.
#[derive(Debug)]
pub(super) struct OpenTable<G: Game> {
    path: String,
    rules_key: u64,
    table: Option<Arc<Tablebase<G>>>,
}

impl<G: Game> Default for OpenTable<G> {
    fn default() -> OpenTable<G> {
        OpenTable {
            path: String::new(),
            rules_key: 0,
            table: None,
        }
    }
}

impl<G: Engine> OpenTable<G> {
    /// Opens the table of this board, unless it is open already. There is none if `path` is empty, if the folder has none, or
    /// if the game has no tables of this board.
    ///
    /// # Errors
    /// A file that cannot be used; it is told once.
    pub(super) fn turn_to(&mut self, path: &str, game: &G) -> Result<(), TableError> {
        let rules_key = game.rules_key();
        if self.path == path && self.rules_key == rules_key {
            return Ok(());
        }
        *self = OpenTable {
            path: path.to_owned(),
            rules_key,
            table: None,
        };
        if path.is_empty() {
            return Ok(());
        }
        if let Some(numbering) = game.numbering() {
            self.table = Tablebase::open(numbering, Path::new(path))?.map(Arc::new);
        }
        Ok(())
    }

    /// The table, if there is one.
    pub(super) fn get(&self) -> Option<Arc<Tablebase<G>>> {
        self.table.clone()
    }
}
