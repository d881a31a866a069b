//! Timed events: reminders, losses on time, and deletion of unconfirmed accounts and unanswered challenges.

use kit::Side;
use referee::date::moment;
use table::TableCommand;

use super::Club;
use super::board::Board;
use super::limits::{DAY, HOUR};
use super::work::Work;
use crate::email::letter;
use crate::error::{Answer, ClubError};
use crate::game::Engines;
use crate::store::{self, ENGINE_NAME};
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
        work.forget_unconfirmed(UNANSWERED_TTL)?;
        tx.execute("DELETE FROM inbox WHERE at < ?1", [now - INBOX_AGE])?;
        store::set(&tx, "ticked", &now.to_string())?;
        tx.commit()?;
        Ok((done, faults))
    }
}

impl Work<'_> {
    /// Reminds the player to move, or ends the game. `last` is the time of the last check.
    fn check_deadline(&self, board: &Board, last: i64) -> Answer<Option<String>> {
        let (Some(deadline), Some(days)) = (board.deadline(), board.days) else {
            return Ok(None);
        };
        let player = self.user(board.players[board.to_move.index()])?;
        if player.name == ENGINE_NAME {
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
                self.forfeit(board, board.to_move).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn forfeit(&self, board: &Board, side: Side) -> Answer<String> {
        let mut open = self.open(board, Engines::Held)?;
        open.ask_as_host(TableCommand::Forfeit { side })?;
        let news = format!("{} loses on time.", board.name(side));
        self.finish(board, open, &news)?;
        Ok(format!("board {}: {news}", board.id))
    }

    fn remind(&self, board: &Board, player: &User, deadline: i64) -> Answer<()> {
        self.db
            .execute("UPDATE boards SET reminded = 1 WHERE id = ?1", [board.id])?;
        let (id, number, name) = (board.id, board.plies + 1, &player.name);
        let text = format!(
            "Your move {number} on board {id} is due by {}. After that you lose on time. Reply to this e-mail with the \
             move.",
            moment(deadline)
        );
        let token = board.token(board.to_move);
        let play = format!("move {id} {name} {token} MOVE");
        let body = letter(&[&text], &[&format!("show {id}"), &play], token);
        self.post_about(
            board,
            player,
            &format!("a reminder: your move {number}"),
            body,
        )
    }
}
