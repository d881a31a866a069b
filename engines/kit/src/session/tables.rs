//! The session's open endgame table, selected by `TablePath` and the board.

use std::path::Path;
use std::sync::Arc;

use crate::tablebase::{TableError, Tablebase};
use crate::{Engine, Game};

/// The open table, with the path and the rules for which it was opened.
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
    /// Opens the table of this board, unless it is already open. No table is open afterwards if `path` is empty, if the
    /// folder has no table of this board, or if the game has no tables for it.
    ///
    /// # Errors
    /// The file cannot be used; reported once per path and board.
    pub(super) fn open(&mut self, path: &str, game: &G) -> Result<(), TableError> {
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
        if let Some(indexing) = game.indexing() {
            self.table = Tablebase::open(indexing, Path::new(path))?.map(Arc::new);
        }
        Ok(())
    }

    /// The open table, if there is one.
    pub(super) fn get(&self) -> Option<Arc<Tablebase<G>>> {
        self.table.clone()
    }
}
