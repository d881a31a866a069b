//! Messages to users, notes on games, and who may send them: blocked users, and users who get too many e-mails.

use protocol::text::visible;
use referee::date::moment;
use rusqlite::params;

use super::boards::BoardState;
use super::work::Work;
use crate::email::{wrap, wrap_lines};
use crate::error::{Answer, misread, refuse};
use crate::outbox::Draft;
use crate::script::{Line, Words};
use crate::store::DAY;
use crate::user::User;

/// Maximum length of a message to a user, in characters.
const MAX_TEXT: usize = 4000;

/// Maximum length of a note in characters, and maximum number of notes per game.
const MAX_NOTE: usize = 500;
const MAX_NOTES: i64 = 200;

/// Maximum number of e-mails per day from one user to another by messages, notes and challenges; e-mails about their
/// games count.
const MAX_BETWEEN_USERS: i64 = 50;

/// The row of a user who refuses challenges, messages and notes from another one.
const BLOCK: &str = "blocks WHERE user = ?1 AND other = ?2";

impl Work<'_> {
    /// `message USER TOKEN`, with the text below. Neither user learns the other's address.
    pub(super) fn message(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let from = self.account(line, &mut words)?;
        let to = self.known_user(words.next().unwrap_or_default())?;
        words.end("message USER TOKEN, and the text below")?;
        self.refuse_unwanted(&from, &to)?;
        if !to.is_reachable() {
            return refuse!("{to} cannot receive e-mails");
        }
        let text = passed_on(&line.text, MAX_TEXT);
        if text.is_empty() {
            return refuse!("no text in it: write it below the command");
        }
        let how = wrap(&format!(
            "To reply, send the command   message {from} TOKEN   with your text below it."
        ));
        let text = wrap_lines(&text);
        let body = format!("{from} writes:\n\n{text}\n\n{how}\n");
        self.post(&Draft::to(&to, format!("A message from {from}"), body))?;
        Ok(format!("Your message was sent to {to}."))
    }

    /// `note BOARD USER TOKEN`, with the text after it or below: stored with the game, and mailed to the opponent.
    pub(super) fn note(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let at = self.seat(line, &mut words)?;
        let id = at.board.id;
        if !words.rest().is_empty() && !at.is_explicit {
            return misread!("note needs the number of the board: expected note {id} TEXT");
        }
        let (board, user) = (at.board, at.user);
        let to = self.user(board.players[at.side.other().index()])?;
        self.refuse_unwanted(&user, &to)?;
        if !matches!(board.state, BoardState::Playing | BoardState::Over) {
            return refuse!("board {id} has no game yet");
        }
        let text = passed_on(&format!("{}\n{}", words.rest(), line.text), MAX_NOTE);
        if text.is_empty() {
            return refuse!("no text in it: write it after the command");
        }
        let n_notes = self.count("notes WHERE board = ?1", [id])?;
        if n_notes >= MAX_NOTES {
            return refuse!("board {id} already has {n_notes} notes, the maximum");
        }
        let insert = "INSERT INTO notes (board, user, at, text) VALUES (?1, ?2, ?3, ?4)";
        let row = params![id, user.id, self.now, text];
        self.db.execute(insert, row)?;
        let body = format!("{user} notes:\n\n{}\n", wrap_lines(&text));
        self.post_about(&board, &to, &format!("a note from {user}"), body)?;
        Ok(format!("Noted on board {id}."))
    }

    /// Formats the notes of a game, each with author and date.
    pub(super) fn notes(&self, board: i64) -> Answer<String> {
        let mut query = self.db.prepare(
            "SELECT name, at, text FROM notes JOIN users ON users.id = user WHERE board = ?1 ORDER BY notes.id",
        )?;
        let notes = query.query_map([board], |row| {
            let (name, at, text): (String, i64, String) = row.try_into()?;
            let text = wrap_lines(&text);
            Ok(format!("\n\n{name}, {}:\n{text}", moment(at)))
        })?;
        let notes: Vec<String> = notes.collect::<Result<_, _>>()?;
        Ok(notes.concat())
    }

    /// `block USER TOKEN`, `unblock USER TOKEN`
    pub(super) fn block(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let user = self.account(line, &mut words)?;
        let other = self.known_user(words.next().unwrap_or_default())?;
        words.end(&format!("{} USER TOKEN", line.word))?;
        if other.id == user.id || other.is_engine() {
            return refuse!("{other}: name another user");
        }
        let pair = [user.id, other.id];
        if line.word == "block" {
            let insert = "INSERT OR REPLACE INTO blocks VALUES (?1, ?2)";
            self.db.execute(insert, pair)?;
            return Ok(format!(
                "{other} can no longer challenge you or write to you."
            ));
        }
        Ok(match self.delete(BLOCK, pair)? {
            0 => format!("You did not block {other}."),
            _ => format!("{other} can challenge you and write to you again."),
        })
    }

    /// Refuses a challenge, message or note to a user who has blocked its sender, or who gets too many.
    pub(super) fn refuse_unwanted(&self, from: &User, to: &User) -> Answer<()> {
        if self.count(BLOCK, [to.id, from.id])? > 0 {
            return refuse!("{to} takes no challenges and messages from {from}");
        }
        self.refuse_flood(from, to)
    }

    /// Refuses a command that mails a user who has got many e-mails caused by the same sender.
    pub(super) fn refuse_flood(&self, from: &User, to: &User) -> Answer<()> {
        let sent = "outbox WHERE cause = ?1 AND user = ?2 AND at > ?3";
        let n_sent = self.count(sent, [from.id, to.id, self.now - DAY])?;
        if n_sent >= MAX_BETWEEN_USERS {
            return refuse!("{n_sent} e-mails of yours went to {to} within a day: wait");
        }
        Ok(())
    }
}

/// Cleans a text that is passed to other users: removes invisible characters and cuts it to `max` characters.
fn passed_on(text: &str, max: usize) -> String {
    let lines: Vec<String> = text.lines().map(visible).collect();
    let text: String = lines.join("\n").chars().take(max).collect();
    text.trim().to_owned()
}
