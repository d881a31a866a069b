//! `linesman-club games`: overview and check of the store, and copies of its ledgers for commands that read ledgers.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::Club;
use super::board::{Board, BoardState};
use super::work::Work;
use crate::error::{Answer, ClubError};
use crate::game::Engines;
use crate::script::Line;
use crate::{outbox, store};

impl Club {
    /// Checks and repairs the store, then returns an overview of users, boards and standings, and the faults that could
    /// not be repaired. Board rows are corrected from their journals, and all ledgers are written again.
    ///
    /// # Errors
    /// The store cannot be used.
    pub fn overview(&mut self, now: i64) -> Result<(String, Vec<String>), ClubError> {
        let mut faults = self.check()?;
        let tx = store::begin(&mut self.db)?;
        let mut work = Work::new(&tx, &self.host, now)?;
        let mut text = format!("{} (host: {})\n", work.own, store::get(&tx, "host")?);
        let users = work.users()?;
        let _ = writeln!(text, "\nUsers: {}", users.len());
        for user in &users {
            let state = match user.is_confirmed {
                true => "",
                false => "  not confirmed",
            };
            let _ = writeln!(text, "  {:20}  {}{state}", user.name, user.address);
        }
        let boards = work.boards_where("state IN ('open', 'playing')", [])?;
        let _ = writeln!(text, "\nBoards in play: {}", boards.len());
        for board in &boards {
            let _ = writeln!(text, "{}", work.summary(board));
        }
        let standings = work.standings(&Line::default())?;
        let n_waiting = outbox::n_waiting(&tx, now)?;
        let _ = write!(text, "\nStandings of {}", standings.trim_end());
        let _ = write!(text, "\n\nE-mails to be sent: {n_waiting}");
        tx.commit()?;
        faults.extend(self.export("n_lines > 0")?);
        Ok((text, faults))
    }

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

    /// Returns the faults of the store that cannot be repaired.
    fn check(&mut self) -> Result<Vec<String>, ClubError> {
        let tx = store::begin(&mut self.db)?;
        let sound: String = tx.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
        let mut faults = Vec::new();
        if sound != "ok" {
            faults.push(format!("the store is damaged: {sound}"));
        }
        let work = Work::new(&tx, &self.host, 0)?;
        for board in work.boards_where("state IN ('playing', 'over')", [])? {
            match work.check_board(&board) {
                Ok(()) => {}
                Err(ClubError::Store(error)) => return Err(error.into()),
                Err(error) => faults.push(format!("board {}: {error}", board.id)),
            }
        }
        tx.commit()?;
        Ok(faults)
    }
}

impl Work<'_> {
    /// Corrects a board's row from its journal.
    fn check_board(&self, board: &Board) -> Answer<()> {
        let closed = self.open(board, Engines::Held)?.close()?;
        let (n_moves, is_over) = (closed.game.n_moves(), closed.game.is_over());
        if n_moves != board.plies || is_over != (board.state == BoardState::Over) {
            self.store(board, &closed)?;
        }
        Ok(())
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
