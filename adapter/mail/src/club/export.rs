//! Copies of the ledgers in files, for commands that read ledgers.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Club;
use super::board::Board;
use super::work::Work;
use crate::error::Answer;

impl Club {
    /// Folder of the ledgers: `club.db.games` next to `club.db`.
    pub fn games_folder(&self) -> PathBuf {
        self.path.with_added_extension("games")
    }

    /// Writes the ledgers of the boards that satisfy a condition. Returns failures as texts.
    pub(super) fn export(&mut self, condition: &str) -> Answer<Vec<String>> {
        let folder = self.games_folder();
        let work = Work::new(&self.db, &self.host, 0)?;
        let mut notes = Vec::new();
        for board in work.boards_where(condition, [])? {
            let path = folder.join(Board::file(board.game_name(), board.id));
            match write(&path, &work.ledger(board.id)?) {
                Ok(()) => {
                    let query = "UPDATE boards SET exported = ?2 WHERE id = ?1";
                    self.db.execute(query, [board.id, board.n_lines])?;
                }
                Err(error) => notes.push(format!("{}: {error}", path.display())),
            }
        }
        Ok(notes)
    }
}

/// Replaces a file atomically.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let unfinished = path.with_extension("tmp");
    let mut file = fs::File::create(&unfinished)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&unfinished, path)
}
