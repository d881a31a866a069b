//! `linesman-club games`: overview and check of the store, and copies of its ledgers for commands that read ledgers.

use std::fmt::Write;

use linesman::platform::USUAL;

use super::Club;
use super::boards::{Board, BoardState};
use super::work::Work;
use crate::error::{Answer, ClubError};
use crate::game::Engines;
use crate::script::{Line, Words};
use crate::{outbox, store};

impl Club {
    /// Checks and repairs the store, then returns an overview of users, boards and standings, and the faults that could
    /// not be repaired. Board rows are corrected from their journals, and all ledgers are written again.
    ///
    /// # Errors
    /// The store cannot be used.
    pub fn overview(&mut self, now: i64) -> Result<(String, Vec<String>), ClubError> {
        let tx = store::begin(&mut self.db)?;
        let sound: String = tx.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
        let mut faults = Vec::new();
        if sound != "ok" {
            faults.push(format!("the store is damaged: {sound}"));
        }
        let mut work = Work::new(&tx, &self.host, now)?;
        for board in work.boards_where("state IN ('playing', 'over')", [])? {
            match work.check_board(&board) {
                Err(ClubError::Store(error)) => return Err(error.into()),
                Err(error) => faults.push(format!("board {}: {error}", board.id)),
                Ok(()) => {}
            }
        }
        let mut text = format!("{} (host: {})\n", work.own, store::get(&tx, "host")?);
        let users = work.users()?;
        let _ = writeln!(text, "\nUsers: {}", users.len());
        for user in &users {
            let state = if user.is_confirmed {
                ""
            } else {
                "  not confirmed"
            };
            let _ = writeln!(text, "  {:20}  {}{state}", user.name, user.address);
        }
        let boards = work.boards_where("state IN ('open', 'playing')", [])?;
        let _ = writeln!(text, "\nBoards in play: {}", boards.len());
        for board in &boards {
            let _ = writeln!(text, "{}", work.summary(board));
        }
        let standings = work.standings(&Line::default(), Words::new(""))?;
        let n_waiting = outbox::n_waiting(&tx, now)?;
        let _ = write!(text, "\nStandings of {}", standings.trim_end());
        let _ = write!(text, "\n\nE-mails to be sent: {n_waiting}");
        tx.commit()?;
        faults.extend(self.export("n_lines > 0")?);
        Ok((text, faults))
    }

    /// Writes the ledgers of the boards that satisfy a condition to `club.db.games` next to `club.db`. Returns failures as
    /// texts.
    pub(super) fn export(&mut self, condition: &str) -> Answer<Vec<String>> {
        let folder = self.path.with_added_extension("games");
        let work = Work::new(&self.db, &self.host, 0)?;
        let mut notes = Vec::new();
        for board in work.boards_where(condition, [])? {
            let path = folder.join(Board::file(board.game_name(), board.id));
            match store::replace(&path, &work.ledger(board.id)?, USUAL) {
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
