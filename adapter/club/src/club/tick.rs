//! What the club does without a message: reminders, losses on time, deletion of unconfirmed accounts and unanswered
//! challenges, and the engine's moves, each in a separate transaction.

use referee::date::moment;
use table::TableCommand;

use super::Club;
use super::boards::Board;
use super::work::Work;
use crate::email::letter;
use crate::error::{Answer, ClubError};
use crate::game::Engines;
use crate::store::{self, DAY, ENGINE_NAME, HOUR};
use crate::user::User;

/// Time in which an account must be confirmed and a challenge answered, in seconds.
const UNANSWERED_TTL: i64 = 30 * DAY;

/// Time for which received messages are remembered, in seconds.
const INBOX_AGE: i64 = 365 * DAY;

/// Time without a check after which a game is ended only by the next one, in seconds.
const OUTAGE: i64 = 2 * HOUR;

impl Club {
    /// Sends reminders and ends games that are lost on time; to be run about every hour. Returns what was done, and the
    /// boards that cannot be read, as texts.
    ///
    /// # Errors
    /// The store cannot be used.
    pub fn tick(&mut self, now: i64) -> Result<(Vec<String>, Vec<String>), ClubError> {
        let tx = store::begin(&mut self.db)?;
        let work = Work::new(&tx, &self.host, now)?;
        let (mut done, mut faults) = (Vec::new(), Vec::new());
        let last: i64 = store::get(&tx, "ticked")?.parse().unwrap_or_default();
        for board in work.boards_where("state = 'playing' AND days IS NOT NULL", [])? {
            tx.execute_batch("SAVEPOINT board")?;
            match work.check_deadline(&board, last) {
                Ok(note) => done.extend(note),
                Err(ClubError::Store(error)) => return Err(error.into()),
                Err(error) => {
                    tx.execute_batch("ROLLBACK TO board")?;
                    faults.push(format!("board {}: {error}", board.id));
                }
            }
            tx.execute_batch("RELEASE board")?;
        }
        tx.execute(
            "UPDATE boards SET state = 'declined' WHERE state = 'open' AND created < ?1",
            [now - UNANSWERED_TTL],
        )?;
        tx.execute(
            "DELETE FROM users WHERE confirmed = 0 AND created < ?1
             AND id NOT IN (SELECT p1 FROM boards UNION SELECT p2 FROM boards)",
            [now - UNANSWERED_TTL],
        )?;
        tx.execute("DELETE FROM inbox WHERE at < ?1", [now - INBOX_AGE])?;
        store::set(&tx, "ticked", &now.to_string())?;
        tx.commit()?;
        Ok((done, faults))
    }

    /// Plays the engine's move on every board where the engine is to move, even if the last run was interrupted. If
    /// another process is already doing this, it includes the boards of this one. Returns failures as texts; the next run
    /// retries them.
    ///
    /// # Errors
    /// The store cannot be used.
    pub fn play_engines(&mut self, now: i64) -> Result<Vec<String>, ClubError> {
        let (mut notes, mut failed) = (Vec::new(), Vec::new());
        // The holder of the lock looks for boards again after releasing it.
        while self.waiting_board(now, &failed)?.is_some() {
            let Some(lock) = self.lock("engines")? else {
                break;
            };
            while let Some(board) = self.waiting_board(now, &failed)? {
                if let Err(error) = self.play_engine(&board, now) {
                    notes.push(format!("board {}: {error}", board.id));
                    failed.push(board.id);
                }
            }
            lock.unlock()?;
        }
        Ok(notes)
    }

    /// Returns a board where the engine is to move, other than those that have failed.
    fn waiting_board(&self, now: i64, failed: &[i64]) -> Result<Option<Board>, ClubError> {
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
        work.play_queued(after)?;
        Ok(tx.commit()?)
    }
}

impl Work<'_> {
    /// Reminds the player to move, or ends the game. `last` is the time of the last check.
    fn check_deadline(&self, board: &Board, last: i64) -> Answer<Option<String>> {
        let (Some(deadline), Some(days)) = (board.deadline(), board.days) else {
            return Ok(None);
        };
        let player = self.user(board.players[board.to_move.index()])?;
        if player.is_engine() {
            return Ok(None);
        }
        // One day before the deadline, or after half of the time if that is later.
        let warning = (days * DAY / 2).min(DAY);
        let note = Some(format!("board {}: {} is reminded", board.id, player.name));
        match (self.now >= deadline, board.reminded) {
            (false, false) if self.now >= deadline - warning => {
                self.remind(board, &player, deadline)?;
                Ok(note)
            }
            // No reminder was sent in time: the player gets the time of a reminder.
            (true, false) => {
                let until = self.now + warning;
                let update = "UPDATE boards SET since = ?2 WHERE id = ?1";
                self.db.execute(update, [board.id, until - days * DAY])?;
                self.remind(board, &player, until)?;
                Ok(note)
            }
            // After an outage, the mail server delivers waiting messages first.
            (true, true) if last >= deadline || self.now - last <= OUTAGE => {
                let mut open = self.open(board, Engines::Held)?;
                let side = board.to_move;
                open.host.request(TableCommand::Forfeit { side })?;
                let news = format!("{player} loses on time.");
                self.finish(board, open, &news)?;
                Ok(Some(format!("board {}: {news}", board.id)))
            }
            _ => Ok(None),
        }
    }

    fn remind(&self, board: &Board, player: &User, deadline: i64) -> Answer<()> {
        let (id, number) = (board.id, board.plies + 1);
        let update = "UPDATE boards SET reminded = 1 WHERE id = ?1";
        self.db.execute(update, [id])?;
        let text = format!(
            "Your move {number} on board {id} is due by {}. After that you lose on time. Reply to this e-mail with the \
             move.",
            moment(deadline)
        );
        let token = board.token(board.to_move);
        let play = format!("move {id} {player} {token} MOVE");
        let body = letter(&[&text], &[&format!("show {id}"), &play], token);
        let about = format!("a reminder: your move {number}");
        self.post_about(board, player, &about, body)
    }
}
