//! The engine's moves. Each is a separate transaction, after that of the message that it answers.

use super::Club;
use super::board::{Board, BoardState};
use super::work::{Sender, Work};
use crate::error::{ClubError, Halt};
use crate::game::{ClosedBoard, Engines, OpenBoard};
use crate::store::{self, ENGINE_NAME};

impl Club {
    /// Plays the engine's move on every board where the engine is to move, even if the last run was interrupted.
    /// Returns failures as texts; the next run retries them.
    ///
    /// # Errors
    /// The store cannot be used.
    pub fn play_engines(&mut self, now: i64) -> Result<Vec<String>, ClubError> {
        let mut notes = Vec::new();
        for board in self.waiting_boards(now)? {
            if let Err(error) = self.play_engine(&board, now) {
                notes.push(format!("board {}: {error}", board.id));
            }
        }
        Ok(notes)
    }

    /// Returns the boards where the engine is to move.
    fn waiting_boards(&mut self, now: i64) -> Result<Vec<Board>, ClubError> {
        let work = Work::new(&self.db, &self.host, now, Sender::Host)?;
        let condition = "state = 'playing' AND ?1 = 0";
        let mut boards = work.boards_where(condition, 0)?;
        boards.retain(|board| board.name(board.to_move) == ENGINE_NAME);
        Ok(boards)
    }

    /// Lets the engine think without holding the store's lock. Its move is dropped if the board has changed in the
    /// meantime.
    fn play_engine(&mut self, board: &Board, now: i64) -> Result<(), ClubError> {
        let work = Work::new(&self.db, &self.host, now, Sender::Host)?;
        let ledger = work.ledger(board.id)?;
        let closed = think(&ledger, &work)?;
        let tx = store::begin(&mut self.db)?;
        let mut work = Work::new(&tx, &self.host, now, Sender::Host)?;
        let is_as_it_was = work.board(board.id)?.n_lines == board.n_lines;
        if !is_as_it_was {
            return Ok(());
        }
        let after = work.store(board, &closed)?;
        let last = closed
            .snapshot
            .tree
            .line()
            .last()
            .map(|ply| ply.code.clone());
        let news = match last.filter(|_| after.plies > board.plies) {
            Some(code) => format!("{ENGINE_NAME} plays {code}."),
            None => format!("{ENGINE_NAME} does not move."),
        };
        work.tell_all(&after, &closed, &news)?;
        let after = work.play_queued(after)?;
        let is_next =
            after.state == BoardState::Playing && after.name(after.to_move) == ENGINE_NAME;
        tx.commit()?;
        match is_next {
            // A queued move has answered the engine's move.
            true => self.play_engine(&after, now),
            false => Ok(()),
        }
    }
}

fn think(ledger: &[u8], work: &Work<'_>) -> Result<ClosedBoard, Halt> {
    let mut open = OpenBoard::open(ledger, Engines::Playing, work.host)?;
    open.await_engine()?;
    open.close()
}
