//! The engine's moves. Each is a separate transaction, after that of the message that it answers.

use std::collections::BTreeSet;

use super::Club;
use super::board::Board;
use super::work::Work;
use crate::error::ClubError;
use crate::game::Engines;
use crate::store::{self, ENGINE_NAME};

impl Club {
    /// Plays the engine's move on every board where the engine is to move, even if the last run was interrupted. If
    /// another process is already doing this, it includes the boards of this one. Returns failures as texts; the next run
    /// retries them.
    ///
    /// # Errors
    /// The store cannot be used.
    pub fn play_engines(&mut self, now: i64) -> Result<Vec<String>, ClubError> {
        let mut notes = Vec::new();
        let mut failed = BTreeSet::new();
        // The holder of the lock looks for boards again after releasing it.
        while self.waiting_board(now, &failed)?.is_some() {
            let Some(lock) = self.lock("engines")? else {
                break;
            };
            while let Some(board) = self.waiting_board(now, &failed)? {
                if let Err(error) = self.play_engine(&board, now) {
                    notes.push(format!("board {}: {error}", board.id));
                    failed.insert(board.id);
                }
            }
            lock.unlock()?;
        }
        Ok(notes)
    }

    /// Returns a board where the engine is to move, other than those that have failed.
    fn waiting_board(&self, now: i64, failed: &BTreeSet<i64>) -> Result<Option<Board>, ClubError> {
        let boards = Work::new(&self.db, &self.host, now)?.boards_where("state = 'playing'", [])?;
        let mut waiting = boards.into_iter().filter(Board::awaits_engine);
        Ok(waiting.find(|board| !failed.contains(&board.id)))
    }

    /// Lets the engine think without holding the store's lock. Its move is dropped if the board has changed in the
    /// meantime.
    fn play_engine(&mut self, board: &Board, now: i64) -> Result<(), ClubError> {
        let mut open = Work::new(&self.db, &self.host, now)?.open(board, Engines::Playing)?;
        open.await_engine()?;
        let closed = open.close()?;
        let tx = store::begin(&mut self.db)?;
        let mut work = Work::new(&tx, &self.host, now)?;
        if work.board(board.id)?.n_lines != board.n_lines {
            return Ok(());
        }
        let after = work.store(board, &closed)?;
        let last = closed.game.tree().line().last();
        let news = match last.filter(|_| after.plies > board.plies) {
            Some(ply) => format!("{ENGINE_NAME} plays {}.", ply.code),
            None => format!("{ENGINE_NAME} does not move."),
        };
        work.mail_all(&after, &closed, &news)?;
        let after = work.play_queued(after)?;
        tx.commit()?;
        match after.awaits_engine() {
            // A queued move has answered the engine's move.
            true => self.play_engine(&after, now),
            false => Ok(()),
        }
    }
}
