//! The work of the club without a message: reminders, losses on time, deletion of unconfirmed accounts and unanswered
//! challenges, and the engine's moves, each in a separate transaction; and `linesman-club games`, the overview and check
//! of the store, with copies of its ledgers for commands that read ledgers.

use std::fmt::Write;

use linesman::date::moment;
use linesman::platform::USUAL;
use table::TableCommand;

use super::{Board, BoardState, Club, Work};
use crate::{
    Answer, ClubError, DAY, ENGINE_NAME, Engines, HOUR, Line, User, Words, letter, outbox, store,
};

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
    pub fn tick(&mut self, now: i64) -> Answer<(Vec<String>, Vec<String>)> {
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
    pub fn play_engines(&mut self, now: i64) -> Answer<Vec<String>> {
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
    fn waiting_board(&self, now: i64, failed: &[i64]) -> Answer<Option<Board>> {
        let boards = Work::new(&self.db, &self.host, now)?.boards_where("state = 'playing'", [])?;
        let mut waiting = boards.into_iter().filter(Board::awaits_engine);
        Ok(waiting.find(|board| !failed.contains(&board.id)))
    }

    /// Lets the engine think without holding the store's lock. Its move is dropped if the board has changed in the
    /// meantime.
    fn play_engine(&mut self, board: &Board, now: i64) -> Answer<()> {
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

    /// Checks and repairs the store, then returns an overview of users, boards and standings, and the faults that could
    /// not be repaired. Board rows are corrected from their journals, and all ledgers are written again.
    ///
    /// # Errors
    /// The store cannot be used.
    pub fn overview(&mut self, now: i64) -> Answer<(String, Vec<String>)> {
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
