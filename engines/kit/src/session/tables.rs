//! The session's open endgame table, selected by `TablePath` and the board.

use std::path::Path;
use std::sync::Arc;

use protocol::Reply;

use super::options::TABLE_PATH;
use crate::DynHistory;
use crate::tablebase::{TableError, Tablebase};

/// The open table, with the path and the rules for which it was opened.
#[derive(Debug, Default)]
pub(super) struct OpenTable {
    path: String,
    rules_key: u64,
    pub(super) table: Option<Arc<Tablebase>>,
    /// What the next `position` reports: which table is in use, or that none fits.
    report: Option<String>,
}

impl OpenTable {
    /// Opens the table of this board. There is none if `path` is empty, if the folder has no table of this board, or if
    /// the game has no tables for it.
    ///
    /// # Errors
    /// The file cannot be used.
    pub(super) fn open(path: &str, board: &dyn DynHistory) -> Result<OpenTable, TableError> {
        let mut opened = OpenTable {
            path: path.to_owned(),
            rules_key: board.rules_key(),
            ..OpenTable::default()
        };
        if path.is_empty() {
            return Ok(opened);
        }
        let table = board.indexing();
        let table = table.map(|indexing| Tablebase::open(indexing, Path::new(path)));
        opened.report = Some(match table.transpose() {
            Ok(None) => "no table: this board has none".to_owned(),
            Ok(Some(table)) => {
                let file = table.file().path().display();
                let report = format!("table {file}: {}", table.file().info().identity);
                opened.table = Some(Arc::new(table));
                report
            }
            Err(why @ TableError::Absent { .. }) => format!("no table: {why}"),
            Err(error) => return Err(error),
        });
        Ok(opened)
    }

    /// Opens the table of another board, unless it is already open. Returns what the user should know: the table in use,
    /// that there is none, or why it cannot be used. It is reported once for each path and board.
    pub(super) fn open_table(&mut self, path: &str, board: &dyn DynHistory) -> Option<Reply> {
        if self.path != path || self.rules_key != board.rules_key() {
            *self = match OpenTable::open(path, board) {
                Ok(opened) => opened,
                Err(error) => {
                    // The error is reported once: the path and the board count as tried.
                    self.path = path.to_owned();
                    self.rules_key = board.rules_key();
                    self.table = None;
                    return Some(Reply::Error(format!("{TABLE_PATH}: {error}")));
                }
            };
        }
        let report = self.report.take()?;
        Some(Reply::string(format!("{TABLE_PATH}: {report}")))
    }
}
