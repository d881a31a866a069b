//! The session's open endgame table, selected by `TablePath` and the board.

use std::path::Path;
use std::sync::Arc;

use protocol::Reply;

use super::options::TABLE_PATH;
use crate::DynHistory;
use crate::tablebase::{TableError, Tablebase};

/// The table for a path and the rules of a board, as it was opened.
#[derive(Debug, Default)]
pub(super) struct OpenTable {
    path: String,
    rules_key: u64,
    /// `None` without a path, if the folder has no table of this board, if the game has no tables for it, and after an error.
    pub(super) table: Option<Arc<Tablebase>>,
    /// The report of the next `position`, once: which table is in use, that none fits, or why the file cannot be used.
    pub(super) report: Option<Result<String, String>>,
}

impl OpenTable {
    /// Opens the table of this board.
    pub(super) fn open(path: &str, board: &dyn DynHistory) -> OpenTable {
        let mut opened = OpenTable {
            path: path.to_owned(),
            rules_key: board.rules_key(),
            ..OpenTable::default()
        };
        if path.is_empty() {
            return opened;
        }
        let table = board.indexing();
        let table = table.map(|indexing| Tablebase::open(indexing, Path::new(path)));
        let report = match table.transpose() {
            Ok(None) => Ok("no table: this board has none".to_owned()),
            Ok(Some(table)) => {
                let file = table.file().path().display();
                let report = format!("table {file}: {}", table.file().info().identity);
                opened.table = Some(Arc::new(table));
                Ok(report)
            }
            Err(why @ TableError::Absent { .. }) => Ok(format!("no table: {why}")),
            Err(error) => Err(error.to_string()),
        };
        let named = |text| format!("{TABLE_PATH}: {text}");
        opened.report = Some(report.map(named).map_err(named));
        opened
    }

    /// Opens the table of another board, unless it is already open. Returns what the user should know.
    pub(super) fn follow(&mut self, path: &str, board: &dyn DynHistory) -> Option<Reply> {
        if self.path != path || self.rules_key != board.rules_key() {
            *self = OpenTable::open(path, board);
        }
        let report = self.report.take()?;
        Some(report.map_or_else(Reply::Error, Reply::string))
    }
}
